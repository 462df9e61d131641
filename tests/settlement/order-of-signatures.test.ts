import { expect, test } from '@jest/globals';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { type Bank, type BankOptions } from '../../engine/open-bank.ts';
import { changeInAnotherChannel } from '../../engine/payments/bank-side-payments.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { type Payment, paymentByKey } from '../../engine/payments/rows/payments.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectRun } from '../../engine/runs/list-runs.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { quirksIn } from '../lab/quirks.ts';
import { at, memoryBank, type OwnBank } from '../lab/bank.ts';
import { deposit, order, orderSigned, paySigned, people, type Plan, sign } from '../lab/payments.ts';

/** A bank in which Nora has these kroner, her credit line included. */
async function bankWith(kroner: number, now: string, options: Partial<BankOptions> = {}): Promise<OwnBank> {
  const bank = await memoryBank(now, options);
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
  if (account === undefined) throw new Error('Nora has an account');
  const more = BigInt(kroner * 100) - account.balance_minor - account.credit_line_minor;
  if (more !== 0n) await deposit(bank, 'nora', more);
  return bank;
}

/** Each attempt until an instant as `{run} {name} {outcome}`, in the order in which the runs saw the funds. */
async function attemptsUntil(bank: Bank, to: string, names: Readonly<Record<string, string>>): Promise<string[]> {
  const { executions } = await forecast(bank, { to: at(to) });
  const foreseen = executions.map(({ run, paymentId, outcome }) => {
    return `${runId(run)} ${names[paymentId ?? ''] ?? ''} ${outcome}`;
  });
  const { runs } = await advanceClock(bank, at(to));
  const happened: string[] = [];
  for (const { id } of runs) {
    const { attempts } = await inspectRun(bank, id);
    const inOrder = attempts.toSorted((one, other) => Number(other.available.minor - one.available.minor));
    happened.push(...inOrder.map(({ paymentId, outcome }) => `${id} ${names[paymentId] ?? ''} ${outcome}`));
  }
  expect(foreseen).toEqual(happened);
  await bank.close();
  return happened;
}

/** When a signed payment counts as received. */
async function receivedAt(bank: Bank, { payment }: { readonly payment: Payment }): Promise<number | null> {
  return bank.ledger.read(async (reader) => (await paymentByKey(reader, payment.id)).received_at);
}

const toShop = (amount: string) => ({ from: 'nora', to: 'shop', amount }) as const;

const daily = (startDate: string): Plan => ({ startDate: localDate(startDate), frequency: 'Daily' });

const idOf = ({ payment }: { readonly payment: { readonly resource_id: string } }): string => payment.resource_id;

test('T9: an order that was signed before a payment is tried before it on its second date', async () => {
  const bank = await bankWith(19_000, '2027-01-29T16:00:00+01:00');
  const weekly = { startDate: localDate('2027-02-03'), frequency: 'Weekly' } as const;
  const first = await orderSigned(bank, toShop('9500.00'), weekly);
  const second = await paySigned(bank, toShop('8000.00'), localDate('2027-02-10'));
  const names = { [idOf(first)]: 'order', [idOf(second)]: 'payment' };
  expect(await attemptsUntil(bank, '2027-02-10T05:30:00+01:00', names)).toEqual([
    '2027-02-03/1 order settle',
    '2027-02-10/1 order settle',
    '2027-02-10/1 payment retry',
  ]);
});

test('T9: orders of the 31st and the 30th meet at the end of a short month in the order of their signatures', async () => {
  const bank = await bankWith(500, '2027-08-16T16:00:00+02:00');
  const monthly = { startDate: localDate('2027-08-17'), frequency: 'Monthly' } as const;
  const first = await orderSigned(bank, toShop('101.00'), { ...monthly, dayOfExecution: '31' });
  const second = await orderSigned(bank, toShop('102.00'), { ...monthly, dayOfExecution: '30' });
  const names = { [idOf(first)]: '31', [idOf(second)]: '30' };
  expect(await attemptsUntil(bank, '2027-09-30T05:30:00+02:00', names)).toEqual([
    '2027-08-30/1 30 settle',
    '2027-08-31/1 31 settle',
    '2027-09-30/1 31 settle',
    '2027-09-30/1 30 settle',
  ]);
});

test('T9: daily orders are tried on each day in the order of their signatures, not of their initiation', async () => {
  const bank = await bankWith(10_000, '2027-02-01T16:00:00+01:00');
  const orders = [];
  for (const amount of ['1.00', '2.00', '3.00'])
    orders.push(idOf(await order(bank, toShop(amount), daily('2027-02-02'))));
  const [one = '', two = '', three = ''] = orders;
  for (const id of [three, one, two]) await sign(bank, id, 'nora');
  const names = { [one]: 'one', [two]: 'two', [three]: 'three' };
  expect(await attemptsUntil(bank, '2027-02-04T05:30:00+01:00', names)).toEqual(
    ['02', '03', '04'].flatMap((day) => ['three', 'one', 'two'].map((name) => `2027-02-${day}/1 ${name} settle`)),
  );
});

test('T9: orders that are received at one instant after a cut-off keep the order of their signatures', async () => {
  const cutOffRules = { cutOffs: { domestic: '14:00' }, earlyClose: {}, fxFixings: [] };
  const bank = await bankWith(10_000, '2027-02-01T15:00:00+01:00', { cutOffRules });
  const early = idOf(await order(bank, toShop('1.00'), daily('2027-02-02')));
  const late = idOf(await order(bank, toShop('2.00'), daily('2027-02-02')));
  await sign(bank, late, 'nora');
  await advanceClock(bank, at('2027-02-01T15:30:00+01:00'));
  await sign(bank, early, 'nora');
  const names = { [early]: 'signed second', [late]: 'signed first' };
  expect(await attemptsUntil(bank, '2027-02-04T05:30:00+01:00', names)).toEqual(
    ['02', '03', '04'].flatMap((day) => ['first', 'second'].map((which) => `2027-02-${day}/1 signed ${which} settle`)),
  );
});

test('S3b: an order with an earlier nominal date waits for the payment that was signed before it', async () => {
  const bank = await bankWith(18_000, '2027-02-01T12:00:00+01:00');
  const payment = idOf(await paySigned(bank, toShop('10000.00'), localDate('2027-02-08')));
  const monthly = { startDate: localDate('2027-02-06'), frequency: 'Monthly' } as const;
  const other = idOf(await orderSigned(bank, toShop('9000.00'), monthly));
  expect(await attemptsUntil(bank, '2027-02-08T05:30:00+01:00', { [payment]: 'payment', [other]: 'order' })).toEqual([
    '2027-02-08/1 payment settle',
    '2027-02-08/1 order retry',
  ]);
});

test('S3b: a payment with an earlier nominal date waits for the preceeding order that was signed before it', async () => {
  const bank = await bankWith(18_000, '2027-02-01T12:00:00+01:00');
  const monthly = { startDate: localDate('2027-02-07'), frequency: 'Monthly', executionRule: 'preceeding' } as const;
  const first = idOf(await orderSigned(bank, toShop('9000.00'), monthly));
  const payment = idOf(await paySigned(bank, toShop('10000.00'), localDate('2027-02-05')));
  expect(await attemptsUntil(bank, '2027-02-05T05:30:00+01:00', { [payment]: 'payment', [first]: 'order' })).toEqual([
    '2027-02-05/1 order settle',
    '2027-02-05/1 payment retry',
  ]);
});

test('S3b: of two orders that meet on one day the one that was signed first goes first', async () => {
  const bank = await bankWith(18_000, '2027-02-01T12:00:00+01:00');
  const monthly = { startDate: localDate('2027-02-08'), frequency: 'Monthly' } as const;
  const first = idOf(await orderSigned(bank, toShop('9000.00'), monthly));
  const second = idOf(await orderSigned(bank, toShop('10000.00'), { ...monthly, startDate: localDate('2027-02-06') }));
  const names = { [first]: 'first', [second]: 'second' };
  expect(await attemptsUntil(bank, '2027-02-08T05:30:00+01:00', names)).toEqual([
    '2027-02-08/1 first settle',
    '2027-02-08/1 second retry',
  ]);
});

test('S3b: occurrences of one order that meet on one day go by their nominal dates', async () => {
  await using bank = await bankWith(2, '2027-02-05T16:00:00+01:00');
  const id = idOf(await orderSigned(bank, toShop('1.00'), daily('2027-02-06')));
  await advanceClock(bank, at('2027-02-08T05:30:00+01:00'));
  const { attempts } = await inspectRun(bank, '2027-02-08/1');
  expect(attempts.map(({ paymentId, outcome }) => [paymentId, outcome])).toHaveLength(3);
  const { occurrences } = await inspectPayment(bank, id);
  expect(occurrences.slice(0, 3).map(({ nominalDate, status }) => [nominalDate, status])).toEqual([
    ['2027-02-06', 'ACSC'],
    ['2027-02-07', 'ACSC'],
    ['2027-02-08', 'ACCP'],
  ]);
});

test('T4d: two orders after the cut-off of a running day go in the order of their signatures', async () => {
  const cutOffRules = { cutOffs: { domestic: '14:00' }, earlyClose: {}, fxFixings: [] };
  const bank = await bankWith(18_000, '2027-02-05T14:30:00+01:00', { cutOffRules });
  const payment = idOf(await paySigned(bank, toShop('10000.00'), localDate('2027-02-15')));
  await advanceClock(bank, at('2027-02-05T14:50:00+01:00'));
  const monthly = { startDate: localDate('2027-02-13'), frequency: 'Monthly' } as const;
  const other = idOf(await orderSigned(bank, toShop('9000.00'), monthly));
  expect(await attemptsUntil(bank, '2027-02-15T05:30:00+01:00', { [payment]: 'payment', [other]: 'order' })).toEqual([
    '2027-02-15/1 payment settle',
    '2027-02-15/1 order retry',
  ]);
});

test.each([
  ['a cut-off', { cutOffs: { domestic: '14:00' }, earlyClose: {}, fxFixings: [] }],
  ['no cut-off', { cutOffs: {}, earlyClose: {}, fxFixings: [] }],
])('T4d: what is signed on Saturday comes after what was signed on Friday, at a bank with %s', async (_name, rules) => {
  const bank = await bankWith(18_000, '2027-02-05T15:00:00+01:00', { cutOffRules: rules });
  const friday = idOf(await paySigned(bank, toShop('10000.00'), localDate('2027-02-09')));
  await advanceClock(bank, at('2027-02-06T12:00:00+01:00'));
  const second = await paySigned(bank, toShop('9000.00'), localDate('2027-02-09'));
  const saturday = idOf(second);
  expect(await receivedAt(bank, second)).toBe(at('2027-02-08T00:00:00+01:00'));
  expect(
    await attemptsUntil(bank, '2027-02-09T05:30:00+01:00', { [friday]: 'Friday', [saturday]: 'Saturday' }),
  ).toEqual(['2027-02-09/1 Friday settle', '2027-02-09/1 Saturday retry']);
});

test('T4d: what settles at once on a closed day counts at its instant', async () => {
  await using bank = await bankWith(18_000, '2027-02-06T12:00:00+01:00', { quirks: quirksIn('same-bank-at-once') });
  const inside = await paySigned(bank, { from: 'nora', to: 'even', amount: '100.00' });
  expect(await receivedAt(bank, inside)).toBe(at('2027-02-06T12:00:00+01:00'));
});

test('T9: a payment keeps its place in the order of signatures when another channel moves it', async () => {
  const bank = await bankWith(11_000, '2027-10-14T16:00:00+02:00');
  const payment = idOf(await paySigned(bank, toShop('9000.00'), localDate('2027-11-30')));
  const other = idOf(await orderSigned(bank, toShop('3000.00'), daily('2027-10-15')));
  await changeInAnotherChannel(bank, payment, { amount: null, requestedExecutionDate: localDate('2027-10-15') });
  expect(await attemptsUntil(bank, '2027-10-15T05:30:00+02:00', { [payment]: 'payment', [other]: 'order' })).toEqual([
    '2027-10-15/1 payment settle',
    '2027-10-15/1 order retry',
  ]);
});

test('T9, T4d: moved hours later, a payment counts as received when it was signed', async () => {
  const bank = await bankWith(11_000, '2027-10-14T10:00:00+02:00');
  const payment = idOf(await paySigned(bank, toShop('9000.00'), localDate('2027-11-30')));
  await advanceClock(bank, at('2027-10-14T11:00:00+02:00'));
  const other = idOf(await paySigned(bank, toShop('3000.00'), localDate('2027-10-15')));
  await advanceClock(bank, at('2027-10-14T12:00:00+02:00'));
  await changeInAnotherChannel(bank, payment, { amount: null, requestedExecutionDate: localDate('2027-10-15') });
  expect(await attemptsUntil(bank, '2027-10-15T05:30:00+02:00', { [payment]: 'moved', [other]: 'other' })).toEqual([
    '2027-10-15/1 moved settle',
    '2027-10-15/1 other retry',
  ]);
});
