import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank } from '../../api/harness/index.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { pay, sign } from '../lab/payments.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { foreseen, madeAfter } from '../lab/forecast-and-fact.ts';

/*
 * T4b, S4c: runs of private and of corporate customers. 2027-03-24 is the Wednesday before Easter; the bank is open again on Tuesday
 * the 30th.
 */
const lists = {
  // Handelsbanken, register 57.
  private: ['00:00', '08:15', '10:00', '11:30', '14:00'],
  corporate: ['00:00', '08:45', '10:00', '11:30', '14:00', '15:00'],
} as const;
const [company, nora, outside] = ['34110000016', '09232911044', '90491105991'];
type Listed = Readonly<{ paymentId: string; nextAttempt: { id: string } }>;

async function read<Body>(bank: Bank, path: string, body?: object): Promise<Body> {
  return (await bank.fetch(path, body === undefined ? {} : { method: 'POST', body })).json<Body>();
}

const open = (now: string, settlementTimes: object = lists) => createBank({ now, settlementTimes });

test('T4b: at 14:30 a company is paid today in run 7, and a private customer after Easter; warning, forecast and calendar say so', async () => {
  await using bank = await open('2027-03-24T14:30:00+01:00');
  const tpp = bank.tpp();
  const order = { to: outside, amount: '10.00' };
  const [ofCompany, ofNora] = [await tpp.pay({ ...order, from: company }), await tpp.pay({ ...order, from: nora })];
  const [toCompany, toNora] = [await tpp.status(ofCompany), await tpp.status(ofNora)];
  expect(toCompany).not.toHaveProperty('tppMessages');
  expect(toNora).toMatchObject({
    tppMessages: [{ text: expect.stringContaining('run 2027-03-30/1 carries it out, on 2027-03-30 at 00:00') }],
  });
  const expected = [
    [ofCompany, '2027-03-24/7'],
    [ofNora, '2027-03-30/1'],
  ];
  const next = [ofCompany, ofNora].map(async (id) => [id, (await bank.payments(id)).nextAttempt?.id]);
  expect(await Promise.all(next)).toEqual(expected);
  const { payments } = await read<{ payments: Listed[] }>(bank, '/sandbox/payments');
  expect(payments.map(({ paymentId, nextAttempt }) => [paymentId, nextAttempt.id]).toReversed()).toEqual(expected);
  const { executions } = await bank.forecast('P10D');
  expect(executions.map(({ paymentId, run }) => [paymentId, `${run.date}/${run.number}`])).toEqual(expected);
  const { days } = await read<{ days: { runs: object[] }[] }>(bank, '/sandbox/calendar?from=2027-03-24&to=2027-03-24');
  expect(days[0]?.runs.map((run) => ('only' in run ? run.only : 'all'))).toEqual([
    ...['all', 'private', 'corporate', 'all', 'all', 'all', 'corporate'],
  ]);
  const { runs } = await bank.clock.advance('2027-03-31');
  expect(runs).toMatchObject([
    { id: '2027-03-24/7', settled: 1, booked: 0 },
    // Any run books: the company's money too.
    { id: '2027-03-30/1', settled: 1, booked: 1 },
    // A run of the other customers books what the first run has posted.
    { id: '2027-03-30/2', settled: 0, booked: 1 },
  ]);
});

test('T4b: an initiation tells the runs of the owner of the account, and not those of its PSU', async () => {
  await using bank = await memoryBank('2027-03-24T14:30:00+01:00', { settlementTimes: lists });
  const lateIn = async (from: 'company' | 'nora') =>
    (await pay(bank, { from, to: 'shop', amount: '10.00' })).notes.dates?.late;
  expect(await lateIn('company')).toBeNull();
  expect(await lateIn('nora')).toMatchObject({ run: { date: '2027-03-30' } });
});

test('S4c: an attempt is a run in which the payment was tried, and with four runs a day the fifth is on the next', async () => {
  // Landkreditt, register 56; private customers have the default times.
  await using bank = await memoryBank('2027-03-23T00:00:00+01:00', {
    settlementTimes: {
      private: ['05:30', '09:30', '11:30', '13:30', '15:30'],
      corporate: ['00:10', '09:40', '11:40', '14:00'],
    },
  });
  const begun = at('2027-03-23T00:00:00+01:00');
  const { payment } = await pay(bank, { from: 'sigrid', to: 'shop', amount: '900000.00' });
  for (const person of ['sigrid', 'tor'] as const) expect(await sign(bank, payment.resource_id, person)).toBeNull();
  await sign(bank, (await pay(bank, { from: 'anne', to: 'shop', amount: '900000.00' })).payment.resource_id, 'anne');
  const ahead = foreseen(await forecast(bank, { to: at('2027-04-01') })).attempts;
  await advanceClock(bank, at('2027-04-01'));
  const made = await madeAfter(bank, begun);
  expect(made).toEqual(ahead);
  const runsOf = (id: string) =>
    made.filter((line) => line.startsWith(id)).map((line) => line.split(' ').slice(3, 5).join(' '));
  expect(runsOf(payment.resource_id)).toEqual([
    '2027-03-23/1 retry',
    '2027-03-23/4 retry',
    '2027-03-23/6 retry',
    '2027-03-23/8 retry',
    '2027-03-24/1 reject',
  ]);
  expect(
    made.filter((line) => !line.startsWith(payment.resource_id)).map((line) => line.split(' ').slice(3, 5).join(' ')),
  ).toEqual([
    '2027-03-23/2 retry',
    '2027-03-23/3 retry',
    '2027-03-23/5 retry',
    '2027-03-23/7 retry',
    '2027-03-23/9 reject',
  ]);
});

test('T4b: a type without a list has the default; a profile and the settings of the start show both', async () => {
  const settings = { settlementTimes: { corporate: ['00:10', '14:00'] } };
  const profile = {
    id: 'my-bank',
    name: 'My Bank',
    group: 'other',
    quality: 'partial',
    settings,
    quirks: {},
    facts: [],
    unknown: [],
  };
  await using bank = await createBank({ now: '2027-03-24T12:00:00+01:00', profile });
  const { configuration } = await read<{ configuration: object }>(bank, '/sandbox/info');
  expect(configuration).toMatchObject({
    settlementTimes: { private: ['05:30', '09:30', '11:30', '13:30', '15:30'], corporate: ['00:10', '14:00'] },
  });
  await expect(createBank({ settlementTimes: { corporate: ['14:00', '00:10'] } })).rejects.toThrow(
    'createBank: settlementTimes is "corporate=14:00,00:10": settlement time of corporate customers 00:10 follows 14:00; sort them',
  );
});

test('R6: a standing order signed between the last runs is clamped to the next run of its customer; /sandbox/schedule agrees', async () => {
  await using bank = await open('2027-03-24T14:30:00+01:00');
  for (const [from, day] of [
    [company, '2027-03-24'],
    [nora, '2027-03-30'],
  ]) {
    const body = {
      instructedAmount: { amount: '5.00', currency: 'NOK' },
      creditorName: 'Shop',
      creditorAccount: { bban: outside, currency: 'NOK' },
      debtorAccount: { bban: from, currency: 'NOK' },
      startDate: '2027-03-28',
      frequency: 'Monthly',
      executionRule: 'preceeding',
    };
    const { occurrences } = await read<{ occurrences: object[] }>(bank, '/sandbox/schedule?count=1', body);
    expect(occurrences).toMatchObject([{ nominalDate: '2027-03-28', executionDate: day }]);
    const order = {
      from: from ?? '',
      to: outside,
      amount: '5.00',
      on: '2027-03-28',
      every: 'Monthly',
      more: { executionRule: 'preceeding' },
    } as const;
    const id = await bank.tpp().pay(order);
    expect((await bank.payments(id)).nextAttempt?.id).toBe(day === '2027-03-24' ? '2027-03-24/7' : '2027-03-30/1');
  }
});
