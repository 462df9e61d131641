import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Bank, createBank } from 'sandbank';
import 'sandbank/jest';
import { signingFetch } from 'sandbank/client';
import { type Agreement, type BankRefusal, Collector, type Customer } from './collector.ts';

/** Anne has 12.00 NOK. */
const anne: Customer = { name: 'Anne', bban: '34300000012', psu: '01819050062', ip: '10.0.0.1', session: randomUUID() };
let bank: Bank;
let collector: Collector;
beforeAll(async () => {
  bank = await createBank({ now: '2027-01-25T12:00:00+01:00', port: 0 });
  const credentials = await bank.tpp({ name: 'collector', roles: ['PSP_PI'] }).credentials();
  collector = new Collector(signingFetch({ base: bank.url, ...credentials }), 'https://gym.example/back');
});
beforeEach(() => bank.reset());
afterAll(() => bank.close());

/** 99.00 NOK on the first of each month, approved. */
async function agreed(endDate?: string): Promise<Agreement> {
  const { agreement, approval } = await collector.begin(randomUUID(), anne, '99.00', '2027-02-01', endDate);
  expect((await collector.look(agreement)).state).toBe('waiting');
  await bank.psu(anne.psu).approve(approval);
  return collector.look(agreement);
}

const states = ({ missed }: Agreement): readonly string[] =>
  Object.entries(missed).map(([date, { state }]) => `${date} ${state}`);

test('what is there is collected on each date, and the agreement ends with its last one', async () => {
  await bank.topUp(anne.bban, '500.00');
  let agreement = await agreed('2027-03-01');
  expect(agreement.state).toBe('active');
  await bank.clock.advance('2027-02-02');
  agreement = await collector.look(agreement);
  expect([agreement.state, states(agreement)]).toEqual(['active', []]);
  await bank.clock.advance('2027-03-02');
  expect((await collector.look(agreement)).state).toBe('ended');
  await expect(bank.account(anne.bban)).toHaveBalance('NOK 314.00');
});

test('a rejected date is asked for once, and paid by the single payment that the customer approves', async () => {
  let agreement = await agreed('2027-04-01');
  // Four runs have failed: the fifth may still find the money.
  await bank.clock.advance('2027-02-01T14:00:00+01:00');
  expect(states(await collector.look(agreement))).toEqual([]);
  await bank.clock.advance('2027-02-02T04:00:00+01:00');
  const found = await collector.look(agreement);
  // As after a crash before the answer was kept: the same payment.
  expect(await collector.look(agreement)).toEqual(found);
  agreement = await collector.look(found);
  expect([agreement.state, states(agreement)]).toEqual(['active', ['2027-02-01 asked']]);
  await bank.topUp(anne.bban, '300.00');
  await bank.psu(anne.psu).approve(agreement.missed['2027-02-01']?.approval ?? '');
  await bank.clock.advance('2027-02-03');
  agreement = await collector.look(agreement);
  expect(states(agreement)).toEqual(['2027-02-01 paid']);
  // The order itself went on: of 312.00 NOK are three fees paid.
  await bank.clock.advance('2027-04-03');
  agreement = await collector.look(agreement);
  expect([agreement.state, states(agreement)]).toEqual(['ended', ['2027-02-01 paid']]);
  await expect(bank.account(anne.bban)).toHaveBalance('NOK 15.00');
});

test('a second payment can fail too; an order of which every date was rejected has ended', async () => {
  let agreement = await agreed('2027-02-01');
  await bank.clock.advance('2027-02-02T04:00:00+01:00');
  agreement = await collector.look(agreement);
  expect(agreement.state).toBe('ended');
  await bank.psu(anne.psu).approve(agreement.missed['2027-02-01']?.approval ?? '');
  await bank.clock.advance('2027-02-03');
  expect(states(await collector.look(agreement))).toEqual(['2027-02-01 refused']);
});

test('an order that is cancelled at the bank is told; the bank is not asked for ever', async () => {
  const agreement = await agreed();
  const { payments } = await (await bank.fetch('/sandbox/payments')).json<{ payments: { paymentId: string }[] }>();
  await bank.tpp({ name: 'collector' }).cancel(payments[0]?.paymentId ?? '');
  expect((await collector.look(agreement)).state).toBe('cancelled');
});

test('an agreement that is sent twice is one order; what the bank refuses has its code', async () => {
  const id = randomUUID();
  const [first, again] = await Promise.all([
    collector.begin(id, anne, '99.00', '2027-02-01'),
    collector.begin(id, anne, '99.00', '2027-02-01'),
  ]);
  expect(again.agreement.order).toBe(first.agreement.order);
  const refused = collector.begin(randomUUID(), anne, '99.00', '2026-12-01');
  await expect(refused).rejects.toMatchObject({ code: 'EXECUTION_DATE_INVALID' } satisfies Partial<BankRefusal>);
});
