import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { quirkTexts } from '../../../engine/bank/rules/quirk.ts';
import { listedProfile, quirksOf } from '../../../api/start/profile.ts';
import { program } from '../../support/program.ts';

/* C5: settings of a new ledger that an existing one ignores are told at start, with the command that applies each. */
const usual = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as KnownState;
const others = usual.customers.map((customer) => ({ ...customer, name: `Other ${customer.name}` }));
let folder: string;
let fixtures: string;
let server: ChildProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-ignored-'));
  fixtures = join(folder, 'mine.json');
  writeFileSync(fixtures, JSON.stringify({ ...usual, customers: others }));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

interface Started {
  readonly address: string;
  readonly said: string;
  readonly warnings: readonly string[];
}

async function start(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const words = ['serve', '--port', '0', '--ledger', join(folder, 'ledger.sqlite'), ...flags];
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...env, PATH: process.env['PATH'] },
    stdio: 'pipe',
  });
  server = child;
  let [said, errors] = ['', ''];
  child.stdout.on('data', (data) => (said += String(data)));
  child.stderr.on('data', (data) => (errors += String(data)));
  while (!said.includes('First steps')) await once(child.stdout, 'data');
  const address = /http:\S+/.exec(said)?.[0] ?? '';
  // Warnings follow the greeting: what comes before an answer has been said.
  await fetch(`${address}/sandbox/info`, { headers: { connection: 'close' } });
  return { address, said, warnings: errors.split('\n').filter((line) => line !== '') };
}

async function stop(): Promise<void> {
  const child = server;
  server = null;
  if (child === null || child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function infoOf(address: string) {
  return (await (await fetch(`${address}/sandbox/info`, { headers: { connection: 'close' } })).json()) as {
    ledger: object;
    clock: { now: string; mode: string };
    psus: { name: string }[];
  };
}

const first = ['--clock-now', '2027-03-24', '--clock-mode', 'frozen'];

test('C5: each setting that differs is one line, whose command applies it; then no line is left', async () => {
  // The greeting names a ledger file that the start made, as a mistyped name does not fail.
  expect((await start(first)).said).toContain(`New ledger  ${join(folder, 'ledger.sqlite')}\n`);
  await stop();
  const changed = ['--clock-now', '2028-01-01', '--clock-mode', 'running', '--fixtures', fixtures];
  const { address, said, warnings } = await start(changed);
  const reset = `reset --port ${new URL(address).port}`;
  const [what, began] = [`the ledger ${join(folder, 'ledger.sqlite')}`, '2027-03-24T00:00:00.000+01:00'];
  expect(warnings).toEqual([
    expect.stringMatching(
      `^Warning: --fixtures ${fixtures} is used from the next reset on: ${what} began with known-state. Apply it: .* ${reset} --fixtures`,
    ),
    expect.stringContaining(`is ignored: ${what} began at ${began}. Apply it: `),
    expect.stringContaining(`Warning: --clock-mode running is ignored: ${what} began with a frozen clock. Apply it: `),
  ]);
  // The greeting and the info have the ledger's.
  expect(said).toContain(`Bank time   ${began} (frozen)`);
  expect(said).not.toContain('New ledger');
  const before = await infoOf(address);
  expect(before.ledger).toMatchObject({ now: began, mode: 'frozen', fixtures: 'known-state' });
  expect(before.psus[0]?.name).toBe(usual.customers[0]?.name);
  for (const warning of warnings) {
    const [, command = ''] = /Apply it: (.*)$/.exec(warning) ?? [];
    execFileSync('sh', ['-c', command], { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
  }
  const after = await infoOf(address);
  expect(after.ledger).toMatchObject({ now: '2028-01-01T00:00:00.000+01:00', mode: 'running', fixtures });
  expect([after.clock.now.slice(0, 10), after.clock.mode]).toEqual(['2028-01-01', 'running']);
  expect(after.psus[0]?.name).toBe(others[0]?.name);
  await stop();
  expect((await start(changed)).warnings).toEqual([]);
}, 120_000);

test('C5: what is not given, or is the same, is no warning; a variable is given too', async () => {
  await start(first);
  await stop();
  expect((await start()).warnings).toEqual([]);
  await stop();
  expect((await start([...first, '--fixtures', 'known-state'])).warnings).toEqual([]);
  await stop();
  const { warnings } = await start([], { SANDBANK_CLOCK_NOW: '2028-01-01', SANDBANK_CLOCK_MODE: 'frozen' });
  expect(warnings).toEqual([expect.stringContaining(`--clock-now '2028-01-01T00:00:00.000+01:00' is ignored`)]);
}, 120_000);

test('C5, Q1b: quirks that were switched in the ledger are told where --quirks differs; a reset applies it', async () => {
  const { address } = await start([...first, '--quirks', 'december-month']);
  const json = { method: 'PUT', headers: { 'content-type': 'application/json', connection: 'close' } };
  await fetch(`${address}/sandbox/quirks`, { ...json, body: '{"quirks": {"reissued-ids": "P7D"}}' });
  await stop();
  expect((await start()).warnings).toEqual([]);
  await stop();
  const { warnings } = await start(['--quirks', 'december-month']);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Warning: --quirks december-month is ignored: since a call of PUT \/sandbox\/quirks the ledger \S+ has the quirks december-month,reissued-ids=P7D\. Apply --quirks: .* reset --port \d+$/,
    ),
  ]);
  const [, command = ''] = /Apply --quirks: (.*)$/.exec(warnings[0] ?? '') ?? [];
  execFileSync('sh', ['-c', command], { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
  await stop();
  expect((await start(['--quirks', 'december-month'])).warnings).toEqual([]);
}, 120_000);

test('C5, Q1b: a profile whose quirks the ledger has switched is told with those that do not hold; a reset takes them', async () => {
  const { address } = await start(first);
  const json = { method: 'PUT', headers: { 'content-type': 'application/json', connection: 'close' } };
  for (const value of [true, false])
    await fetch(`${address}/sandbox/quirks`, { ...json, body: JSON.stringify({ quirks: { 'plain-json': value } }) });
  await stop();
  const { said, warnings } = await start(['--profile', 'bien-sparebank']);
  const lacking = quirkTexts(quirksOf(await listedProfile('bien-sparebank')));
  expect(said).toMatch(
    /^Profile {5}Bien Sparebank \(bien-sparebank\) without \d+ of its quirks; what is known of it: /m,
  );
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Warning: quirks of --profile bien-sparebank are off: since a call of PUT \/sandbox\/quirks the ledger \S+ has no quirks\. Off: \S+\. Apply them: .* reset --port \d+, or keep the data and switch them on by PUT \/sandbox\/quirks$/,
    ),
  ]);
  expect(warnings[0]).toContain(`Off: ${lacking.join(',')}.`);
  const [, command = ''] = /Apply them: (.*), or keep/.exec(warnings[0] ?? '') ?? [];
  execFileSync('sh', ['-c', command], { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
  await stop();
  const whole = await start(['--profile', 'bien-sparebank']);
  expect(whole.warnings).toEqual([]);
  expect(whole.said).toContain('(bien-sparebank); what is known of it: ');
}, 120_000);

test('Q8: the greeting says in one line which profile, and where its facts and what is not known are', async () => {
  const { address, said } = await start(['--profile', 'sparebank1-ostlandet', ...first]);
  const line = `Profile     SpareBank 1 Østlandet (sparebank1-ostlandet); what is known of it: ${address}/console/quirks`;
  expect(said.split('\n').filter((each) => !/^[A-Z]/.test(each) && each !== '')).toEqual([]);
  expect(said.split('\n')).toContain(line);
  const page = await (await fetch(`${address}/console/quirks`, { headers: { connection: 'close' } })).text();
  for (const part of [
    'transactionIdStable',
    'nobody has published it',
    'after how long an id of a transaction is reissued',
  ])
    expect(page).toContain(part);
}, 60_000);

test('C5: a ledger that began with a profile tells of a start without it, or with another; a reset takes over the new one', async () => {
  await start(['--profile', 'bien-sparebank', ...first]);
  await stop();
  expect((await start(['--profile', 'bien-sparebank'])).warnings).toEqual([]);
  await stop();
  const told = (given: string): string =>
    `Warning: ${given}: the ledger ${join(folder, 'ledger.sqlite')} began with bien-sparebank, whose settings and quirks do not apply now. Apply them: start with --profile bien-sparebank`;
  expect((await start(['--profile', 'fana-sparebank'])).warnings).toEqual([told('--profile is fana-sparebank')]);
  await stop();
  const { address, warnings } = await start();
  expect(warnings).toEqual([told('there is no --profile')]);
  await fetch(`${address}/sandbox/reset`, { method: 'POST', headers: { connection: 'close' } });
  await stop();
  expect((await start()).warnings).toEqual([]);
}, 120_000);

test('Q12: the greeting says where the list of the platform is', async () => {
  const { said } = await start(['--platform', ...first]);
  const [, list = ''] = /^Platform {4}(http\S+\/sandbox\/banks) lists its banks$/m.exec(said) ?? [];
  expect(await (await fetch(list)).json()).toMatchObject({
    banks: expect.arrayContaining([expect.objectContaining({ name: 'bien-sparebank' })]),
  });
}, 60_000);
