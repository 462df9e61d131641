import { expect, test } from '@jest/globals';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { orderSigned } from '../lab/payments.ts';

test('S3, R9: orders whose next occurrences tie are foreseen in the order of the orders, not of their last attempts', async () => {
  await using bank = await memoryBank('2027-01-28T16:00:00+01:00');
  // The second order runs on Friday, 29 January, the first on Monday, 1 February; in February both mean the 28th.
  const ids: string[] = [];
  for (const [startDate, dayOfExecution] of [
    ['2027-01-31', 31],
    ['2027-01-29', 29],
  ] as const) {
    const plan = {
      startDate: localDate(startDate),
      dayOfExecution: String(dayOfExecution),
      frequency: 'Monthly',
    } as const;
    const { payment } = await orderSigned(bank, { from: 'nora', to: 'shop', amount: '6000.00' }, plan);
    ids.push(payment.resource_id);
  }
  const [first = '', second = ''] = ids;
  const to = at('2027-03-01T06:00:00+01:00');
  const { executions } = await forecast(bank, { to });
  expect(executions.map(({ paymentId, outcome }) => [paymentId, outcome])).toEqual([
    [second, 'settle'],
    [first, 'settle'],
    [first, 'settle'],
    [second, 'retry'],
  ]);
  await advanceClock(bank, to);
  const outcomes = async (id: string) => (await inspectPayment(bank, id)).attempts.map(({ outcome }) => outcome);
  expect([await outcomes(first), await outcomes(second)]).toEqual([
    ['settle', 'settle'],
    ['settle', 'retry'],
  ]);
});
