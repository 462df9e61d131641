import { expect, test } from '@jest/globals';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { checkSettlementTimes } from '../../engine/bank/change-state.ts';
import { runSchedule } from '../../engine/time/rules/settlement-run.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { resetBank } from '../../engine/reset-and-restore.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';

test('T4: a ledger keeps the times that its runs were numbered by, until it is reset', async () => {
  await using bank = await memoryBank('2027-03-31T05:00:00+02:00');
  const byType = { private: ['08:00', '16:00'], corporate: ['16:00'] };
  const changed = { ...bank, schedule: runSchedule(byType, bank.schedule.calendar) };
  const other = {
    ...bank,
    schedule: runSchedule({ ...byType, corporate: ['08:00', '16:00'] }, bank.schedule.calendar),
  };
  await checkSettlementTimes(changed);
  await checkSettlementTimes(bank);
  await signed(bank);
  await advanceClock(bank, at('2027-03-31T06:00:00+02:00'));
  await expect(checkSettlementTimes(changed)).rejects.toThrow('CONFLICT: The ledger has runs at 05:30');
  await checkSettlementTimes(bank);
  await resetBank(changed);
  await checkSettlementTimes(changed);
  await signed(changed);
  await advanceClock(changed, at('2027-03-31T17:00:00+02:00'));
  // T4b: the same runs, but for other customers.
  await expect(checkSettlementTimes(other)).rejects.toThrow(
    'has runs at private=08:00,16:00/corporate=16:00, and the settings ask for 08:00,16:00',
  );
  await checkSettlementTimes(changed);
});

async function signed(bank: Bank): Promise<void> {
  await paySigned(bank, { from: 'kari', to: 'per', amount: '10.00' });
}
