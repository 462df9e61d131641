import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Bank, createBank } from 'sandbank';
import { signingFetch } from 'sandbank/client';
import { type Books, readNight, type Result } from './reader.ts';

const nora = '13039319955';
/** Nora's, with 18,000.00 NOK. */
const account = '09232911044';
const shop = '90491105991';
let bank: Bank;
let credentials: { readonly certificate: string; readonly key: string };
let send: typeof fetch;
let psuId: string;
let books: Books;
beforeAll(async () => {
  bank = await createBank({ now: '2027-03-23T23:00:00+01:00', port: 0 });
  credentials = await bank.tpp({ name: 'reader' }).credentials();
  send = signingFetch({ base: bank.url, ...credentials });
});
beforeEach(async () => {
  await bank.reset();
  const consent = await bank.tpp({ name: 'reader' }).consent({ psu: nora, accounts: [account] });
  psuId = consent.headers['psu-id'] ?? '';
  books = {};
});
afterAll(() => bank.close());

/** The reader's job, at one in the night of this date. */
async function night(date: string): Promise<readonly Result[]> {
  await bank.clock.advance(`${date}T01:00:00${date < '2027-03-28' ? '+01:00' : '+02:00'}`);
  const done = await readNight(send, psuId, date, books);
  ({ books } = done);
  return done.results;
}

const kept = (): readonly string[] =>
  Object.values(books).flatMap(({ booked }) =>
    booked.map(({ bookingDate, transactionAmount: { amount } }) => `${bookingDate} ${amount}`),
  );

test('each night adds the day that has ended; over Easter nothing is booked, and nothing is read twice', async () => {
  expect(await night('2027-03-24')).toEqual([
    { account: 'Totalkonto', outcome: 'read', text: '0 transactions, 18000.00' },
  ]);
  await bank.clock.advance('2027-03-24T12:00:00+01:00');
  await bank.tpp().pay({ from: account, to: shop, amount: '500.00' });
  await bank.tpp().pay({ from: account, to: shop, amount: '250.00', on: '2027-03-25' });
  for (const date of ['2027-03-25', '2027-03-26', '2027-03-30']) await night(date);
  // The run of 13:30 has posted it, and that of 15:30 has booked it.
  expect(kept()).toEqual(['2027-03-24 -500.00']);
  expect(await night('2027-03-31')).toMatchObject([{ outcome: 'read', text: '2 transactions, 17250.00' }]);
  expect(kept()).toEqual(['2027-03-24 -500.00', '2027-03-30 -250.00']);
  expect(await night('2027-03-31')).toMatchObject([{ text: '2 transactions, 17250.00' }]);
});

test('a night that fails is made up for by the next one', async () => {
  await night('2027-03-24');
  await bank.clock.advance('2027-03-24T12:00:00+01:00');
  await bank.tpp().pay({ from: account, to: shop, amount: '500.00' });
  await bank.fetch('/sandbox/faults', { method: 'POST', body: { code: 'SYSTEM_ERROR', method: 'GET' } });
  expect(await night('2027-03-25')).toMatchObject([{ account: 'all', outcome: 'later' }]);
  await bank.fetch('/sandbox/faults', { method: 'DELETE' });
  expect(await night('2027-03-26')).toMatchObject([{ outcome: 'read', text: '1 transactions, 17500.00' }]);
});

test('a job that asks too often waits for the next night; a consent that has lapsed asks for the customer', async () => {
  await night('2027-03-24');
  const path = `/v1/accounts/${encodeURIComponent(Object.keys(books)[0] ?? '')}/balances`;
  const read = () => send(path, { headers: { 'PSU-ID': psuId, 'PSU-Context': 'PRIVATE' } });
  for (let reads = 0; reads < 3; reads += 1) await read();
  await bank.clock.advance('PT1H');
  const before = books;
  const tooOften = await readNight(send, psuId, '2027-03-25', books);
  expect(tooOften.results).toMatchObject([{ outcome: 'later', text: expect.stringMatching(/^ACCESS_EXCEEDED: /) }]);
  expect(tooOften.books).toEqual(before);
  expect(await night('2027-10-01')).toMatchObject([{ outcome: 'consent', text: expect.stringMatching(/^CONSENT_/) }]);
});

test('books that do not add up are told, and stay as they were', async () => {
  await night('2027-03-24');
  const [id = '', book] = Object.entries(books)[0] ?? [];
  if (book !== undefined) books = { [id]: { ...book, opening: '17999.99' } };
  const wrong = books;
  expect(await night('2027-03-25')).toMatchObject([
    { outcome: 'wrong', text: '17999.99 and 0 transactions are not 18000.00' },
  ]);
  expect(books).toEqual(wrong);
});

test('the program keeps the books in a file, and says by its exit code that a person has to look', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-reader-'));
  for (const [name, text] of Object.entries(credentials)) writeFileSync(join(folder, `${name}.pem`), text);
  const of = (name: string): string => join(folder, name);
  const run = (psu: string) => {
    const own = { BANK: bank.url, PSU_ID: psu, BOOKS: of('books.json'), TODAY: '2027-03-23' };
    const env = { ...process.env, ...own, CERTIFICATE: of('certificate.pem'), KEY: of('key.pem') };
    const words = ['--import', './scripts/own-package.js', 'examples/reader/reader.ts'];
    return promisify(execFile)(process.execPath, words, { env });
  };
  expect((await run(psuId)).stdout).toBe('Totalkonto: read, 0 transactions, 18000.00\n');
  expect(Object.values(JSON.parse(readFileSync(of('books.json'), 'utf8')) as Books)).toMatchObject([
    { next: '2027-03-23' },
  ]);
  await expect(run('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^all: consent, PSU_CREDENTIALS_INVALID: .*\n$/),
  });
  rmSync(folder, { recursive: true });
});
