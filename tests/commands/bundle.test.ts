import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { greetedAddress } from '../lab/greeted-address.ts';
import { program } from '../support/program.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { BankClient, startTestBank, type TestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const folder = tempFolder();
let bank: TestBank;
beforeAll(async () => {
  mkdirSync(join(folder, 'ledger'));
  bank = await startTestBank(now, [
    '--ledger',
    join(folder, 'ledger/l.sqlite'),
    '--control-token',
    'a-long-token-of-ours',
    '--tpp-trust',
    'any',
  ]);
});
afterAll(async () => {
  await bank.stop();
});

const env = { SANDBANK_CONTROL_TOKEN: 'a-long-token-of-ours' };

function save(args: readonly string[], surroundings: object = { env }): Promise<Ended> {
  return runMain(['bundle', ...args, '--port', new URL(bank.address).port], surroundings);
}

test('a disk without room for the bank is told in one line', async () => {
  const file = join(folder, 'large.sandbank');
  const save = `"${program}" bundle save "${file}" --port ${new URL(bank.address).port}`;
  const child = spawn('bash', ['-c', `ulimit -f 1; exec "${process.execPath}" ${save}`], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([child.exitCode, errors]).toEqual([1, `"${file}" cannot be used: the disk takes no file of this size\n`]);
  expect(readdirSync(folder)).toEqual(['ledger']);
}, 30_000);

test('a bank is saved in place of an older file; --bank another one, --json as JSON', async () => {
  const file = join(folder, 'x.sandbank');
  writeFileSync(file, 'sandbank-bundle 1 0.1.0 1 2');
  const { code, lines } = await save(['save', file]);
  expect([code, lines]).toEqual([
    0,
    [expect.stringMatching(/^Saved .*x\.sandbank, \d+ KB\. To open it: sandbank open /)],
  ]);
  const authorization = { authorization: 'Bearer a-long-token-of-ours', 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ name: 'demo', now: '2028-01-01' }));
  await bank.raw('POST', '/sandbox/banks', authorization, body);
  const other = join(folder, 'other.sandbank');
  const told = await save(['save', other, '--bank', 'demo', '--json']);
  expect(JSON.parse(told.lines.join('\n'))).toEqual({ file: other, bytes: readFileSync(other).length });
  expect(readFileSync(file, 'latin1').slice(0, 18)).toBe('sandbank-bundle 1 ');
  expect(readFileSync(other)).not.toEqual(readFileSync(file));
  expect(readdirSync(folder).toSorted()).toEqual(['ledger', 'other.sandbank', 'x.sandbank']);
});

test.each([
  ['a folder', ['save', '.'], { env }, 2, /\. is not replaced: it is a folder/],
  [
    'a folder that is not there',
    ['save', 'no/where/x.sandbank'],
    { env },
    1,
    /^"no\/where\/x\.sandbank" cannot be used: there is no such file or folder$/,
  ],
  ['no name', ['save'], { env }, 2, /bundle save takes a FILE/],
  ['another verb', ['sav', 'x'], { env }, 2, /is no verb of bundle; expected one of save/],
  ['no token', ['save', 'x.sandbank'], {}, 1, /^refused \(401\)/],
  ['a bank that is not there', ['save', 'x.sandbank', '--bank', 'nope'], { env }, 1, /^refused \(404\)/],
])('%s: one line, and no file', async (_what, args, surroundings, code, line) => {
  const before = readdirSync('.');
  const ended = await save(args, surroundings);
  expect([ended.code, ended.lines, ended.errors[0]]).toEqual([code, [], expect.stringMatching(line)]);
  expect(readdirSync('.')).toEqual(before);
});

test('no server at all, and one that is no Sandbank of today', async () => {
  const { code, errors } = await runMain(['bundle', 'save', 'x', '--port', '1']);
  expect([code, errors]).toEqual([1, [expect.stringMatching(/^nothing answers at/)]]);
});

test('a ledger whose file was taken away is refused, not a fault of the bank', async () => {
  const [there, away] = [join(folder, 'ledger/l.sqlite'), join(folder, 'away')];
  renameSync(there, away);
  const { code, errors } = await save(['save', join(folder, 'y.sandbank')]);
  renameSync(away, there);
  expect([code, errors]).toEqual([1, [expect.stringMatching(/^refused \(409\): The ledger cannot be copied in/)]]);
});

test('open: the port is told as it is, a free one, and PORT is not asked', async () => {
  const { lines } = await runMain(['open', '--help']);
  const help = lines.join('\n');
  expect(help).toContain('--port N  The port to listen on. Default: a free port.');
  expect(help).not.toMatch(/7263|\bPORT\b/);
  expect(help).toContain('snapshot restore opened');
});

test('B6: open: one command goes back to the bank as it was saved, as its greeting says, also after a reset', async () => {
  const file = join(folder, 'back.sandbank');
  await save(['save', file, '--bank', 'demo']);
  const child = spawn(process.execPath, [program, 'open', file]);
  const address = await greetedAddress(child.stdout);
  const opened = new BankClient(address);
  const hash = async (): Promise<string> =>
    (await opened.control('GET', '/sandbox/ledger/hash?ids=included')).body.hash;
  const [port, saved] = [new URL(address).port, await hash()];
  for (const moved of [['advance', 'P1D'], ['reset'], ['advance', '2028-02-01']]) {
    expect((await runMain([...moved, '--port', port])).code).toBe(0);
    expect(await hash()).not.toBe(saved);
    expect((await runMain(['snapshot', 'restore', 'opened', '--port', port])).code).toBe(0);
    expect(await hash()).toBe(saved);
    expect((await opened.control('GET', '/sandbox/clock')).body).toMatchObject({
      now: '2028-01-01T00:00:00.000+01:00',
      mode: 'frozen',
    });
  }
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
}, 30_000);

test('open: a token of its own, a port that is given, --json, and settings of the first that do not matter', async () => {
  const file = join(folder, 'open.sandbank');
  await save(['save', file]);
  const surroundings = {
    ...process.env,
    SANDBANK_CONTROL_TOKEN: 'another-long-token',
    SANDBANK_LEDGER: '/nowhere',
    PORT: '1',
  };
  const child = spawn(process.execPath, [program, 'open', file, '--json'], { env: surroundings });
  const first = once(child.stdout, 'data');
  await greetedAddress(child.stdout);
  const told = JSON.parse(String((await first)[0])) as { address: string };
  expect(told).toEqual({ address: told.address, console: `${told.address}/console`, now, snapshot: 'opened' });
  const opened = new BankClient(told.address);
  expect((await opened.control('GET', '/sandbox/clock')).status).toBe(401);
  const { body } = await opened.raw('GET', '/sandbox/clock', { authorization: 'Bearer another-long-token' });
  expect(body).toMatchObject({ now, mode: 'frozen' });
  expect((await opened.signed('GET', '/v1/users')).status).toBe(200);
  const port = new URL(told.address).port;
  const taken = await runMain(['open', file, '--port', port]);
  expect([taken.code, taken.errors]).toEqual([2, [expect.stringMatching(/is taken: choose another with --port/)]]);
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
}, 30_000);
