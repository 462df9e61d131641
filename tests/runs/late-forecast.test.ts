import { expect, test } from '@jest/globals';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { at, manualClock, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';

test.each([
  ['at the instant of a run', '2027-03-24T13:30:00+01:00', '2027-03-24/4'],
  ['a moment after it', '2027-03-24T13:30:00.001+01:00', '2027-03-24/5'],
])('T4: a payment signed %s, before its alarm, is foreseen for the run that takes it', async (_, signedAt, run) => {
  const wall = manualClock(at('2027-03-24T12:00:00+01:00'));
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00', {
    wall,
    start: { mode: 'running', now: wall.now() },
  });
  wall.set(at(signedAt));
  const { payment } = await paySigned(bank, { from: 'nora', to: 'shop', amount: '1.00' });
  const { executions } = await forecast(bank, { to: at('2027-03-24T16:00:00+01:00') });
  expect(executions.map((each) => runId(each.run))).toEqual([run]);
  wall.set(at('2027-03-24T16:00:00+01:00'));
  await advanceClock(bank, 'now');
  expect((await inspectPayment(bank, payment.resource_id)).attempts).toMatchObject([{ run }]);
});
