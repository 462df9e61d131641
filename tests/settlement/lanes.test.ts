import { expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { createAccount, deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { orderSigned, payBulk, paySigned, people, type Plan, signed } from '../lab/payments.ts';
import { localDate } from '../../engine/values/local-date.ts';

/** Payments inside the bank have a run of their own at 23:30 (rules.md T4h). */
const inside = { cutOffRules: { cutOffs: { inside: '23:30' }, earlyClose: {}, fxFixings: [] } };

const toShop = { from: 'nora', to: 'shop', amount: '5.00' } as const;

/** Opens an account of this bank with the number to which the shop is paid. */
async function openShop(bank: Bank): Promise<string> {
  const { bban } = people.shop;
  const terms = { name: 'Shop', currency: 'NOK', product: null, cashAccountType: null } as const;
  const [{ number } = { number: '' }] = await bank.ledger.read((reader) =>
    reader.selectFrom('customer').select('customer_number as number').limit(1).execute(),
  );
  const wanted = { ...terms, bban, customerNumber: number, creditLine: 0n, openingBalance: 0n };
  return (await createAccount(bank, wanted)).account.resource_id;
}

/** The next run of a payment, as the bank tells it, foresees it and carries it out. */
async function runOf(bank: Bank, paymentId: string): Promise<string> {
  const { nextAttempt } = await inspectPayment(bank, paymentId);
  if (nextAttempt === null) throw new Error('no run tries it');
  const { executions } = await forecast(bank, { to: nextAttempt.at });
  expect(executions.map(({ run }) => runId(run))).toContain(runId(nextAttempt));
  await advanceClock(bank, nextAttempt.at);
  const [attempt] = (await inspectPayment(bank, paymentId)).attempts;
  expect(attempt).toMatchObject({ run: runId(nextAttempt) });
  return runId(nextAttempt);
}

const now = '2027-02-02T16:00:00+01:00';

test('T9: a payment is tried as one inside the bank once an account with its creditor number opens', async () => {
  await using bank = await memoryBank(now, inside);
  const { payment } = await paySigned(bank, toShop);
  await openShop(bank);
  expect(await runOf(bank, payment.resource_id)).toBe('2027-02-02/6');
});

test('T9: a payment is no longer tried as one inside the bank once the account of its creditor closes', async () => {
  await using bank = await memoryBank(now, inside);
  const shop = await openShop(bank);
  const { payment } = await paySigned(bank, toShop);
  await deleteAccount(bank, shop);
  expect(await runOf(bank, payment.resource_id)).toBe('2027-02-03/1');
});

test('T9, T4g: a bulk payment is inside the bank once all its creditors are', async () => {
  await using bank = await memoryBank(now, inside);
  const toEven = { from: 'nora', to: 'even', amount: '6.00' } as const;
  const { payment } = await signed(bank, 'nora', payBulk(bank, [toEven, toShop]));
  const next = async () => {
    const { nextAttempt } = await inspectPayment(bank, payment.resource_id);
    return nextAttempt === null ? null : runId(nextAttempt);
  };
  expect(await next()).toBe('2027-02-03/1');
  const shop = await openShop(bank);
  expect(await next()).toBe('2027-02-02/6');
  await deleteAccount(bank, shop);
  expect(await next()).toBe('2027-02-03/1');
});

test('T9: later occurrences of an order have the lane that its earlier ones got', async () => {
  await using bank = await memoryBank(now, inside);
  const plan: Plan = { startDate: localDate('2027-02-03'), frequency: 'Daily' };
  await orderSigned(bank, toShop, plan);
  await openShop(bank);
  await advanceClock(bank, at('2027-02-03T23:00:00+01:00'));
  const lanes = await bank.ledger.read((reader) =>
    reader.selectFrom('execution').select(['nominal_date', 'lane']).orderBy('nominal_date').execute(),
  );
  expect(lanes.map(({ nominal_date: date, lane }) => `${date} ${lane}`)).toEqual([
    '2027-02-03 private inside NOK',
    '2027-02-04 private inside NOK',
  ]);
});
