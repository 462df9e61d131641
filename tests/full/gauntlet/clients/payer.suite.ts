import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Bank, createBank } from 'sandbank';
import { type Paid, Payer } from './payer.ts';

const order = { psu: '02818550068', from: '34400000036', to: '95360573002', amount: '5.00' };
let bank: Bank;
let payer: Payer;
beforeEach(async () => {
  bank = await createBank({ now: '2027-04-13T12:00:00+02:00' });
  // Its key takes a while, and the client is impatient.
  await bank.tpp({ name: 'payer' }).credentials();
  payer = new Payer(bank.tpp({ name: 'payer' }), bank.url);
});
afterEach(() => bank.close());

/** As the PSU does on the page, until one SCA succeeds. */
async function sign(paid: Paid, of = bank, by = payer): Promise<void> {
  for (let tries = 0, next = paid.page; tries < 3; tries += 1) {
    const redirect = await of.psu(order.psu).approve(next);
    if (redirect.searchParams.get('code') === null) return;
    next = await by.authorise(paid);
  }
}

void test('pays once', async () => {
  const paid = await payer.pay(order);
  await sign(paid);
  await bank.clock.advance('2027-04-15T12:00:00+02:00');
  const { payments } = (await (await bank.fetch('/sandbox/payments')).json()) as {
    readonly payments: readonly unknown[];
  };
  assert.equal(payments.length, 1);
});

void test('sends the customer to the page of the bank', async () => {
  const { page } = await payer.pay(order);
  assert.equal((await bank.fetch(page)).status, 200);
});

void test('tells signed from unsigned', async () => {
  const paid = await payer.pay(order);
  assert.equal(await payer.isSigned(paid), false);
  await sign(paid);
  assert.equal(await payer.waitUntilSigned(paid, () => bank.clock.advance('PT20S')), true);
});

void test('delivers what is paid for good', async () => {
  const paid = await payer.pay(order);
  await sign(paid);
  await bank.clock.advance('2027-04-20T12:00:00+02:00');
  const consent = await bank.tpp({ name: 'payer' }).consent({ psu: order.psu });
  const { booked } = await consent.transactions(order.from, { from: '2027-04-13' });
  const credits = booked.map((item) => item.transactionAmount.amount).filter((amount) => !amount.startsWith('-'));
  assert.equal(payer.isPaid(order, credits), !credits.includes(order.amount));
});

void test('warns of a fee that there is', async () => {
  assert.equal((await payer.pay(order)).warning, '');
});

void test('begins another authorisation', async () => {
  const paid = await payer.pay(order);
  await bank.psu(order.psu).cancel(paid.page);
  await bank.psu(order.psu).approve(await payer.authorise(paid));
  assert.equal(await payer.waitUntilSigned(paid, () => bank.clock.advance('PT20S')), true);
});

void test('tells of a payment until it is paid', async () => {
  const paid = await payer.pay(order);
  await sign(paid);
  let told = 'on its way';
  for (let runs = 0; runs < 4 && told === 'on its way'; runs += 1) {
    await bank.clock.advance({ runs: 1 });
    told = await payer.told(paid);
  }
  assert.equal(told, 'paid');
});

void test('waits for the holidays', async () => {
  await using open = await createBank();
  const own = new Payer(open.tpp({ name: 'payer' }), open.url);
  const paid = await own.pay({ ...order, on: own.tomorrow(await open.clock.now()) });
  await sign(paid, open, own);
  await open.clock.advance(`P${own.patienceDays}D`);
  assert.equal((await open.payments(paid.id)).status, 'ACSC');
});

void test('pays today and tomorrow', async () => {
  await using open = await createBank();
  const now = await open.clock.now();
  const own = new Payer(open.tpp({ name: 'payer' }), open.url);
  const [today, tomorrow] = [own.today(now), own.tomorrow(now)];
  await own.pay({ ...order, on: today });
  await own.pay({ ...order, amount: '6.00', on: tomorrow });
  await open.clock.advance('P1D');
  // At the same time of the next day, whatever it is called.
  assert.equal((await open.clock.now()).slice(0, 10), tomorrow);
});
