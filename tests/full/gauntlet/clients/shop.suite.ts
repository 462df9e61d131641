import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Bank, createBank } from '../../../../api/harness/index.ts';
import { Books, connect, Shop } from './shop.ts';

const [kari, account, own, outside] = ['02818550068', '34400000036', '34400000028', '95360573002'];
let bank: Bank;
let shop: Shop;
beforeEach(async () => {
  bank = await createBank({ now: '2027-04-13T12:00:00+02:00' });
  shop = new Shop(bank, kari);
});
afterEach(() => bank.close());

void test('knows that a transfer between own accounts is signed', async () => {
  const paid = await shop.pay({ from: account, to: own, amount: '5.00', kid: '1234567897' });
  await shop.sign(paid);
  assert.equal(await shop.waitUntilSigned(paid), true);
});

void test('knows that a payment is signed', async () => {
  const paid = await shop.pay({ from: account, to: outside, amount: '5.00' });
  await shop.sign(paid);
  assert.equal(await shop.waitUntilSigned(paid), true);
});

void test('tells of a payment until it is paid', async () => {
  const paid = await shop.pay({ from: account, to: outside, amount: '5.00' });
  await shop.sign(paid);
  assert.equal(await shop.outcome(paid), 'paid');
});

void test('pays once, today', async () => {
  await using open = await createBank();
  const today = (await open.clock.now()).slice(0, 10);
  await new Shop(open, kari).pay({ from: account, to: outside, amount: '7.00', on: today });
  const { payments } = (await (await open.fetch('/sandbox/payments')).json()) as {
    readonly payments: readonly unknown[];
  };
  assert.equal(payments.length, 1);
});

void test('waits for a payment over the holidays', async () => {
  await using open = await createBank();
  const day = new Date(`${(await open.clock.now()).slice(0, 10)}T12:00:00Z`);
  const on = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10);
  const its = new Shop(open, kari);
  const paid = await its.pay({ from: account, to: outside, amount: '5.00', on });
  await its.sign(paid);
  assert.equal(await its.settles(paid), true);
});

void test('books each purchase once', async () => {
  const consent = await bank.tpp({ name: 'shop' }).consent({ psu: kari });
  const books = new Books(bank.tpp({ name: 'shop' }), consent.headers);
  const pay = (amount: string) => bank.tpp().pay({ from: account, to: outside, amount });
  for (const amount of ['1.00', '2.00', '3.00', '4.00', '4.10', '4.20']) await pay(amount);
  await bank.clock.advance('2027-04-14T14:00:00+02:00');
  const check = async (): Promise<void> => {
    await books.import(account);
    const { transactions } = await bank.account(account);
    const own = transactions.filter(({ amount, booked }) => booked && amount.amount.startsWith('-'));
    assert.equal(books.purchases, own.length);
  };
  await check();
  await pay('5.00');
  await bank.clock.advance('2027-04-15T12:00:00+02:00');
  await check();
  await bank.clock.advance('2027-04-26T12:00:00+02:00');
  await pay('6.00');
  await bank.clock.advance('2027-04-26T14:00:00+02:00');
  await check();
});

void test('connects a customer', async () => {
  assert.equal(await connect(bank, kari), 2);
});
