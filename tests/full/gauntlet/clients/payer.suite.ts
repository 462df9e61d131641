import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Bank, createBank } from '../../../../api/harness/index.ts';
import { Payer } from './payer.ts';

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

const approve = (page: string): Promise<URL> => bank.psu(order.psu).approve(page);

/** As the PSU does on the page, until one SCA succeeds. */
async function sign(page: string, id: string): Promise<void> {
  for (let tries = 0, next = page; tries < 3; tries += 1) {
    const redirect = await approve(next);
    if (redirect.searchParams.get('code') === null) return;
    next = (await bank.tpp({ name: 'payer' }).authorise(id)).href;
  }
}

void test('pays once', async () => {
  const paid = await payer.pay(order);
  await sign(paid.page, paid.id);
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
  await sign(paid.page, paid.id);
  assert.equal(await payer.waitUntilSigned(paid, () => bank.clock.advance('PT20S')), true);
});

void test('delivers what is paid for good', async () => {
  const paid = await payer.pay(order);
  await sign(paid.page, paid.id);
  await bank.clock.advance('2027-04-20T12:00:00+02:00');
  const consent = await bank.tpp({ name: 'payer' }).consent({ psu: order.psu });
  const { booked } = await consent.transactions(order.from, { from: '2027-04-13' });
  const credits = booked.map((item) => item.transactionAmount.amount).filter((amount) => !amount.startsWith('-'));
  assert.equal(payer.isPaid(order, credits), credits.length === 0);
});

void test('warns of a fee that there is', async () => {
  assert.equal((await payer.pay(order)).warning, '');
});

void test('waits for the holidays', async () => {
  await using open = await createBank();
  const now = await open.clock.now();
  const tomorrow = new Date(Date.parse(`${now.slice(0, 10)}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const own = new Payer(open.tpp({ name: 'payer' }), open.url);
  const paid = await own.pay({ ...order, on: tomorrow });
  for (let next = paid.page, tries = 0; tries < 3; tries += 1) {
    if ((await open.psu(order.psu).approve(next)).searchParams.get('code') === null) break;
    next = (await open.tpp({ name: 'payer' }).authorise(paid.id)).href;
  }
  await open.clock.advance(`P${own.patienceDays}D`);
  assert.equal((await open.payments(paid.id)).status, 'ACSC');
});
