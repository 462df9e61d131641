import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { knownState } from '../lab/bank.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
/** The same as tables have it. */
const shown = now.slice(0, 16).replace('T', ' ');
const branches = [
  ['P3D', '2027-03-27T12:00:00.000+01:00'],
  ['PT12H', '2027-03-25T00:00:00.000+01:00'],
] as const;
const bank = testBank(now);
const folder = tempFolder();

/** Standard output and errors of a command, each line; the exit code first. */
async function said(...args: string[]): Promise<unknown[]> {
  const { code, lines, errors } = await runMain([...args, '--port', new URL(bank.address).port]);
  return [code, ...lines, ...errors];
}

test('a snapshot is saved, listed, restored twice and removed', async () => {
  expect(await said('snapshot', 'save', 'before')).toEqual([0, 'Name  before', `Now   ${now}`]);
  for (const [by, to] of branches) {
    await said('advance', by);
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(to);
    const [code, restored, , shows] = await said('snapshot', 'restore', 'before');
    expect([code, restored, shows]).toEqual([0, 'Restored  before', `  Now       ${now}`]);
  }
  expect(await said('snapshot', 'list')).toEqual([
    0,
    'Snapshots: 2',
    '  Name    Bank time',
    `  seeded  ${shown}`,
    `  before  ${shown}`,
  ]);
  expect(await said('snapshot', 'remove', 'before')).toEqual([0, 'Removed  before']);
});

test('the address of a new bank is that of --public-url', async () => {
  await using published = await startTestBank(now, ['--public-url', 'https://bank.example']);
  const { lines } = await runMain(['bank', 'create', 'team', '--port', new URL(published.address).port]);
  expect(lines).toContain('Interface  https://bank.example/banks/team/v1');
});

test('a bank is made with its own clock, reached with --bank, and removed', async () => {
  const at = `${bank.address}/banks/demo/v1`;
  const made = await said('bank', 'create', 'demo', '--clock-now', '2028-01-01', '--quirks', 'december-month');
  expect([made[0], made]).toEqual([
    0,
    expect.arrayContaining([
      'Name       demo',
      `Interface  ${at}`,
      'Clock      now 2028-01-01T00:00:00.000+01:00, mode frozen',
    ]),
  ]);
  expect((await bank.control('GET', '/banks/demo/sandbox/info')).body.configuration.quirks).toEqual(['december-month']);
  expect(await said('bank', 'list')).toEqual([
    0,
    'Banks: 2',
    expect.stringMatching(/^ {2}Name +Interface +Fixtures +Bank time$/),
    `  default  ${`${bank.address}/v1`.padEnd(at.length)}  known-state  ${shown}`,
    `  demo     ${at}  known-state  2028-01-01 00:00`,
  ]);
  await said('advance', 'P1D', '--bank', 'demo');
  expect((await bank.control('GET', '/banks/demo/sandbox/clock')).body.date).toBe('2028-01-02');
  expect(await said('reset', '--bank', 'demo')).toEqual([
    0,
    expect.stringMatching(/^The bank at \S+\/banks\/demo is back to its known state, at \S+ \(frozen\)\.$/),
  ]);
  expect((await bank.control('GET', '/banks/demo/sandbox/clock')).body.date).toBe('2028-01-01');
  expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(now);
  expect(await said('snapshot', 'list', '--bank', 'demo')).toEqual([
    0,
    'Snapshots: 1',
    '  Name    Bank time',
    '  seeded  2028-01-01 00:00',
  ]);
  expect(await said('bank', 'remove', 'demo')).toEqual([0, 'Removed  demo']);
});

test('--bank default is the bank at the root', async () => {
  expect(await said('snapshot', 'list', '--bank', 'default')).toEqual([
    0,
    'Snapshots: 1',
    '  Name    Bank time',
    `  seeded  ${shown}`,
  ]);
});

describe('what the bank refuses ends in 1', () => {
  test.each([
    [['snapshot', 'restore', 'nope'], /^refused \(404\): There is no snapshot "nope"\.$/, 'allowed: seeded'],
    [['bank', 'remove', 'default'], /^refused \(409\): The bank at the root stays/, undefined],
  ])('%j', async (args, refusal, allowed) => {
    const [code, first, second, ...more] = await said(...args);
    expect([code, first, more]).toEqual([1, expect.stringMatching(refusal), []]);
    expect(second).toEqual(allowed);
  });
});

test('each fault of a file of fixtures is a line that names its place in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-seed-'));
  const file = join(folder, 'seed.json');
  const [first] = knownState.customers;
  const customers = [{ ...first, name: 5, accounts: [{ ...first?.accounts[0], balance: 100 }], cards: [] }];
  writeFileSync(file, JSON.stringify({ customers, agreements: [] }));
  try {
    for (const command of [['bank', 'create', 'x'], ['reset']]) {
      expect(await said(...command, '--fixtures', file)).toEqual([
        1,
        expect.stringMatching(/^refused \(400\): customers\[0\]\.name: 5 is a number/),
        expect.stringMatching(/^refused \(400\): customers\[0\]\.accounts\[0\]\.balance: 100 is a number/),
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a wrong command ends in 2', () => {
  test.each([
    [['snapshot'], 'snapshot has no verb: expected one of save, list, restore, remove'],
    [['snapshot', 'sav', 'x'], '"sav" is no verb of snapshot; expected one of save, '],
    [['snapshot', 'constructor'], '"constructor" is no verb of snapshot; expected one of save, '],
    [['bank', 'creat'], '"creat" is no verb of bank; expected one of list, create'],
    [['snapshot', 'save'], 'snapshot save takes a NAME'],
    [['snapshot', 'list', 'x'], '"x" is one word too many'],
    [['snapshot', 'restore', '..'], '".." is no name'],
    [['bank', 'remove', '.'], '"." is no name'],
  ])('%j', async (args, problem) => {
    expect(await said(...args)).toEqual([2, expect.stringContaining(problem)]);
  });
});

test('bank list says which banks are damaged, and why', async () => {
  writeFileSync(join(folder, 'broken.sqlite'), 'no ledger');
  await using server = await startTestBank(now, ['--banks', folder]);
  const { code, lines } = await runMain(['bank', 'list', '--port', new URL(server.address).port]);
  expect([code, lines[1]]).toEqual([0, expect.stringMatching(/ Bank time +Damaged$/)]);
  expect(lines.slice(2)).toEqual([
    expect.stringMatching(/^ {2}default .* \d\d:\d\d$/),
    expect.stringMatching(/^ {2}broken .* \S+/),
  ]);
  expect(lines.at(-1)).toMatch(/no ledger|no database|not a database/);
});
