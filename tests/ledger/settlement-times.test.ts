import { expect, test } from '@jest/globals';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { checkSettlementTimes } from '../../engine/bank/require-settlement-times.ts';
import { resetBank } from '../../engine/reset-bank.ts';
import { at, memoryBank } from '../../scripts/lab/bank.ts';
import { pay, sign } from '../../scripts/lab/payments.ts';

test('T4: a ledger keeps the times that its runs were numbered by, until it is reset', async () => {
  const bank = await memoryBank('2027-03-31T05:00:00+02:00');
  const changed = { ...bank, runs: { ...bank.runs, times: ['08:00', '16:00'] } };
  await checkSettlementTimes(changed);
  await checkSettlementTimes(bank);
  const { payment } = await pay(bank, { from: 'kari', to: 'per', amount: '10.00' });
  await sign(bank, payment.resource_id, 'kari');
  await advanceClock(bank, at('2027-03-31T06:00:00+02:00'));
  await expect(checkSettlementTimes(changed)).rejects.toThrow('CONFLICT: The ledger has runs at 05:30');
  await checkSettlementTimes(bank);
  await resetBank(changed);
  await checkSettlementTimes(changed);
  await bank.close();
});
