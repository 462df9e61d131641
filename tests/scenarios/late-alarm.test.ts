import { expect, test } from '@jest/globals';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { manualClock, memoryBank } from '../lab/bank.ts';
import { osloTime } from '../support/oslo-time.ts';
import { pay, payInstantly, sign, signed } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';

const shop = { from: 'nora', to: 'shop' } as const;
const begin = osloTime('2027-03-24 09:29');
/** So many minutes after a run. */
const after = (minutes: number) => (osloTime('2027-03-24 09:30') + minutes * 60_000) as typeof begin;

test('P10, S6, T6: an instant payment between a run and its alarm is booked by the run after that one', async () => {
  const wall = manualClock(begin);
  await using bank = await memoryBank('2027-03-24T09:29:00+01:00', { wall, start: { mode: 'running', now: begin } });
  const first = await pay(bank, { ...shop, amount: '1.00' });
  await sign(bank, first.payment.resource_id, 'nora');
  wall.set(after(0.5));
  const instant = await payInstantly(bank, { ...shop, amount: '5.00' });
  await sign(bank, instant.payment.resource_id, 'nora');
  const isBooked = async () => {
    const { entries } = await inspectPayment(bank, instant.payment.resource_id);
    return entries.map(({ booked }) => booked);
  };
  wall.set(after(1));
  expect((await advanceClock(bank, 'now')).runs).toMatchObject([{ id: '2027-03-24/2', settled: 1, booked: 0 }]);
  expect(await isBooked()).toEqual([false, false]);
  wall.set(after(7 * 60));
  expect((await advanceClock(bank, 'now')).runs).toMatchObject([{ id: '2027-03-24/3', settled: 0, booked: 2 }]);
  expect(await isBooked()).toEqual([true, true]);
  expect(await brokenProofs(bank)).toEqual({});
});

test('T6: a run that has nothing but that to book leaves no row', async () => {
  const wall = manualClock(begin);
  await using bank = await memoryBank('2027-03-24T09:29:00+01:00', { wall, start: { mode: 'running', now: begin } });
  wall.set(after(0.5));
  await signed(bank, 'nora', payInstantly(bank, { ...shop, amount: '5.00' }));
  wall.set(after(1));
  expect((await advanceClock(bank, 'now')).runs).toEqual([]);
  wall.set(after(7 * 60));
  expect((await advanceClock(bank, 'now')).runs).toMatchObject([{ id: '2027-03-24/3', settled: 0, booked: 1 }]);
});
