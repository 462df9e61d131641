import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type AccountReader, type Bank, createBank, type Tpp } from 'sandbank';
import { Reader } from './reader.ts';

const [kari, account, shop] = ['02818550068', '34400000036', '95360573002'];
let bank: Bank;
let tpp: Tpp;
let consent: AccountReader;
before(async () => {
  bank = await createBank({ now: '2027-04-13T12:00:00+02:00' });
  tpp = bank.tpp({ name: 'reader' });
});
beforeEach(async () => {
  await bank.reset();
  consent = await tpp.consent({ psu: kari });
});
after(() => bank.close());

const reader = (): Reader => new Reader(tpp, consent.headers);
/** What has left the account: money may come back. */
const purchases = ({ booked }: Reader): number => booked.filter(({ amount }) => amount.startsWith('-')).length;
const pay = (amount: string) => bank.tpp().pay({ from: account, to: shop, amount });

void test('imports each purchase once', async () => {
  for (let paid = 1; paid <= 7; paid += 1) await pay(`${paid}.00`);
  await bank.clock.advance('2027-04-14T12:00:00+02:00');
  const books = reader();
  await books.import(account, '2027-04-13');
  assert.equal(purchases(books), 7);
  await pay('8.00');
  await bank.clock.advance('2027-04-22T12:00:00+02:00');
  await books.import(account, '2027-04-13');
  assert.equal(purchases(books), 8);
});

void test('shows the details of a purchase', async () => {
  await pay('5.00');
  await bank.clock.advance('2027-04-14T12:00:00+02:00');
  const books = reader();
  await books.import(account, '2027-04-13');
  const [kept] = books.booked;
  if (kept === undefined || kept.id === '') return;
  assert.equal(await books.details(account, kept), 200);
});

void test('counts what is pending apart', async () => {
  const paymentId = await pay('5.00');
  await bank.clock.advance({ until: { paymentId, status: 'ACSC' } });
  const books = reader();
  await books.import(account, '2027-04-13');
  assert.equal(books.booked.length, 0);
  assert.equal(books.pending, 1);
});

void test('its sum is that of the bank', async () => {
  const before = await bank.account(account);
  const books = reader();
  await books.import(account, books.since);
  await pay('5.00');
  await bank.clock.advance('2027-04-14T12:00:00+02:00');
  await books.import(account, books.since);
  await bank.clock.advance('2027-04-16T12:00:00+02:00');
  await books.import(account, books.since);
  const booked = async (): Promise<number> => {
    const { transactions } = await bank.account(account);
    const amounts = transactions.flatMap(({ amount: { amount }, booked: isBooked }) => (isBooked ? [amount] : []));
    return amounts.reduce((sum, amount) => sum + Number(amount.replace('.', '')), 0);
  };
  assert.equal(before.transactions.length, 0);
  assert.equal(books.sum, await booked());
});

void test('files a purchase under its booking date', async () => {
  await pay('5.00');
  await bank.clock.advance('2027-04-14T12:00:00+02:00');
  const books = reader();
  await books.import(account, '2027-04-13');
  const [purchase] = books.booked.filter(({ amount }) => amount === '-5.00');
  const { transactions } = await bank.account(account);
  assert.equal(purchase?.date, transactions.find(({ amount }) => amount.amount === '-5.00')?.bookingDate);
});

void test('asks for a new consent after a revocation', async () => {
  const books = reader();
  assert.equal(await books.import(account, '2027-04-13'), 'read');
  await bank.psu(kari).revoke(consent);
  assert.equal(await books.import(account, '2027-04-13'), 'consent');
});

void test('asks for a new consent, or reads, after a hundred days', async () => {
  const books = reader();
  await bank.clock.advance('P100D');
  assert.match(await books.import(account, '2027-07-20'), /^(?:read|consent|gone)$/);
});
