import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Bank, createBank } from 'sandbank';
import { ask, planted, withMistakes } from './asking.ts';
import { rows, type ShopTest } from './shop-mistakes.ts';
import { Books, connect, Shop } from './shop.ts';

const [kari, account, own, outside] = ['02818550068', '34400000036', '34400000028', '95360573002'];
let bank: Bank;
let shop: Shop;
beforeEach(async () => {
  bank = await createBank({ now: '2027-04-13T12:00:00+02:00' });
  shop = new Shop(bank, kari);
});
afterEach(() => bank.close());

const toOwn = { from: account, to: own, amount: '5.00', kid: '1234567897' };
const toOutside = { from: account, to: outside, amount: '5.00' };

/** Whether the shop knows that a payment is signed. */
const isKnownSigned = async (order: typeof toOutside): Promise<boolean> => {
  const paid = await shop.pay(order);
  await shop.sign(paid);
  return shop.waitUntilSigned(paid);
};

/** Books after they have read what the bank has, so often. */
const checked = async (books: Books): Promise<void> => {
  await books.import(account);
  const { transactions } = await bank.account(account);
  const own = transactions.filter(({ amount, booked }) => booked && amount.amount.startsWith('-'));
  assert.equal(books.purchases, own.length);
};

const booksOf = async (): Promise<Books> => {
  const consent = await bank.tpp({ name: 'shop' }).consent({ psu: kari });
  return new Books(bank.tpp({ name: 'shop' }), consent.headers);
};

const pay = (amount: string) => bank.tpp().pay({ ...toOutside, amount });

const tests: Readonly<Record<ShopTest, readonly [name: string, run: () => Promise<void>]>> = {
  own: [
    'knows that a transfer between own accounts is signed',
    async () => assert.equal(await isKnownSigned(toOwn), true),
  ],
  signed: ['knows that a payment is signed', async () => assert.equal(await isKnownSigned(toOutside), true)],
  outcome: [
    'tells of a payment until it is paid',
    async () => {
      const paid = await shop.pay(toOutside);
      await shop.sign(paid);
      assert.equal(await shop.outcome(paid), 'paid');
    },
  ],
  today: [
    'pays once, today',
    async () => {
      await using open = await createBank();
      const today = (await open.clock.now()).slice(0, 10);
      await new Shop(open, kari).pay({ ...toOutside, on: today });
      const { payments } = (await (await open.fetch('/sandbox/payments')).json()) as {
        readonly payments: readonly unknown[];
      };
      assert.equal(payments.length, 1);
    },
  ],
  holidays: [
    'waits for a payment over the holidays',
    async () => {
      await using open = await createBank();
      const day = new Date(`${(await open.clock.now()).slice(0, 10)}T12:00:00Z`);
      const on = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10);
      const its = new Shop(open, kari);
      const paid = await its.pay({ ...toOutside, on });
      await its.sign(paid);
      assert.equal(await its.settles(paid), true);
    },
  ],
  books: [
    'books each purchase once',
    async () => {
      const books = await booksOf();
      for (const amount of ['1.00', '2.00', '3.00', '4.00', '4.10', '4.20']) await pay(amount);
      await bank.clock.advance('2027-04-14T14:00:00+02:00');
      await checked(books);
      await pay('5.00');
      await bank.clock.advance('2027-04-15T12:00:00+02:00');
      await checked(books);
      await bank.clock.advance('2027-04-26T12:00:00+02:00');
      await pay('6.00');
      await bank.clock.advance('2027-04-26T14:00:00+02:00');
      await checked(books);
    },
  ],
  cards: [
    'books each purchase by card once',
    async () => {
      const books = await booksOf();
      const tpp = bank.tpp({ name: 'shop' });
      const { body: held } = await ask(tpp, '/v1/sandbox/accounts');
      const { resourceId } = held.find((one: { readonly bban: string }) => one.bban === account);
      const purchase = { currency: 'NOK', bookingDate: '2027-04-13', valueDate: '2027-04-13', amount: -49.9 };
      const body = [{ ...purchase, remittanceInformationUnstructured: 'Kiosken Torget' }];
      const path = `/v1/sandbox/accounts/${encodeURIComponent(resourceId)}/transactions`;
      assert.equal((await ask(tpp, path, { method: 'POST', body })).status, 201);
      await checked(books);
      await bank.clock.advance('2027-04-24T12:00:00+02:00');
      await checked(books);
    },
  ],
  connect: ['connects a customer', async () => assert.equal(await connect(bank, kari), 2)],
};

const only = process.env['CAREFUL'];
for (const [short, [name, run]] of Object.entries(tests))
  if (only === undefined || only === short) void test(name, () => withMistakes([], run));
// Each mistake has a test of its own beside the careful ones.
for (const [mistake, name] of rows)
  if (planted.includes(mistake)) void test(mistake, () => withMistakes([mistake], tests[name][1]));
