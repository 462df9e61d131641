import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backUpLedger } from '../../engine/check-ledger.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { patched } from '../lab/patched-ledger.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const folder = tempFolder();
const ledger = join(folder, 'data/l.sqlite');
const files = join(folder, 'files');
const kept = join(files, 'kept.sqlite');
let bank: TestBank;

const serve = (): Promise<TestBank> => startTestBank(now, ['--ledger', ledger]);
const backup = (...args: readonly string[]): Promise<Ended> => runMain(['backup', ...args, '--ledger', ledger]);

beforeAll(async () => {
  mkdirSync(join(folder, 'data'));
  mkdirSync(files);
  bank = await serve();
});
afterAll(async () => {
  await bank.stop();
});

let count = 0;

async function initiate(): Promise<string> {
  const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE', 'x-request-id': crypto.randomUUID() };
  const amount = (1 + (count += 1) / 100).toFixed(2);
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const answer = await bank.signed('POST', singlePath, { headers, body });
  expect(answer.status).toBe(201);
  return String(answer.body.paymentId);
}

test('B8: a backup of a bank under load is whole; a restore is the file in its place', async () => {
  const before = await initiate();
  let isDone = false;
  const load = (async () => {
    while (!isDone) await initiate();
  })();
  const { code, lines } = await backup(kept);
  isDone = true;
  await load;
  expect([code, lines]).toEqual([
    0,
    [expect.stringMatching(/^Saved .*kept\.sqlite, \d+ KB, and checked it\. To open/)],
  ]);
  if (process.platform !== 'win32') expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(readdirSync(files)).toEqual(['kept.sqlite']);

  const later = await initiate();
  await bank.stop();
  copyFileSync(kept, ledger);
  bank = await serve();
  expect((await bank.control('GET', `/sandbox/payments/${before}`)).status).toBe(200);
  expect((await bank.control('GET', `/sandbox/payments/${later}`)).status).toBe(404);
  expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  expect((await bank.control('POST', '/sandbox/reset')).status).toBe(200);
}, 60_000);

test.each([
  ['FILE exists', () => kept, [], /kept\.sqlite" exists\. --force replaces it/],
  ['FILE is the ledger', () => ledger, ['--force'], /is the ledger itself/],
  ['FILE is a folder', () => folder, ['--force'], /is no file/],
  ['the folder is not there', () => join(folder, 'no/k.sqlite'), [], /there is no such file or folder/],
  ['the ledger is in memory', () => 'k.sqlite', ['--ledger', ':memory:'], /in memory.*sandbank bundle save FILE/],
  ['the bank is in memory', () => 'k.sqlite', ['--bank', 'one'], /the bank "one" is in memory/],
  ['the name is a path', () => 'k.sqlite', ['--banks', 'x', '--bank', '../l'], /"\.\.\/l" is no name of a bank/],
  ['there is no such bank', () => 'k.sqlite', ['--banks', folder, '--bank', 'one'], /there is no ledger .*one\.sqlite/],
  [
    'there is no ledger',
    () => 'k.sqlite',
    ['--ledger', 'none.sqlite'],
    /there is no ledger none\.sqlite\. Name yours with --ledger$/,
  ],
])('nothing is saved where %s', async (_why, file, flags, said) => {
  const before = readdirSync(files);
  const args = ['backup', file(), '--ledger', ledger, ...flags];
  const { code, errors } = await runMain(args);
  expect([code, errors]).toEqual([1, [expect.stringMatching(said)]]);
  expect(readdirSync(files)).toEqual(before);
});

test('--force replaces FILE, --bank takes a named bank, --json tells what was saved', async () => {
  const other = join(files, 'other.sqlite');
  writeFileSync(other, 'SQLite format 3\0');
  const { lines } = await backup(other, '--force', '--json');
  expect(JSON.parse(lines.join('\n'))).toEqual({ ledger, file: other, bytes: statSync(other).size });
  // The bank l of the folder, in place of the bank at the root.
  const named = await runMain(['backup', other, '--force', '--json', '--banks', join(folder, 'data'), '--bank', 'l']);
  expect(JSON.parse(named.lines.join('\n'))).toMatchObject({ ledger });
});

test('an interrupted backup and one of a damaged ledger leave nothing, and FILE as it was', async () => {
  const file = join(files, 'third.sqlite');
  await expect(backUpLedger(ledger, file, AbortSignal.abort())).rejects.toThrow(/abort/);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'SQLite format 3, older');
  const damaged = join(folder, 'damaged.sqlite');
  const change = 'update account set balance_minor = balance_minor + 1 where id = 1';
  writeFileSync(
    damaged,
    patched(readFileSync(kept), (sqlite) => void sqlite.exec(change)),
  );
  const { code, errors } = await runMain(['backup', file, '--force', '--ledger', damaged]);
  expect([code, errors]).toEqual([2, [expect.stringMatching(/damaged\.sqlite is damaged: the account .* carries/)]]);
  expect(readFileSync(file, 'utf8')).toBe('SQLite format 3, older');
  expect(readdirSync(files).filter((name) => name.startsWith('third'))).toEqual(['third.sqlite']);
});

test.each([
  ['known-state', /serve --ledger \S+$/],
  ['twins', /serve --ledger \S+ --fixtures twins$/],
  [{ customers: [], agreements: [] }, /serve --ledger \S+ --fixtures SEED$/],
])('the line that opens the copy names the seed of the ledger, unless it is the usual one', async (fixtures, said) => {
  expect((await bank.control('POST', '/sandbox/reset', { fixtures })).status).toBe(200);
  const { lines } = await backup(kept, '--force');
  expect(lines).toEqual([expect.stringMatching(said)]);
});
