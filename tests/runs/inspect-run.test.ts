import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectRun, listRuns } from '../../engine/runs/list-runs.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';

/** In keys of executions, 30 days: `engine/ledger/queries.ts`. */
const days = 30 * 2 ** 30;

test('S4: a run tells its attempts, and those of a payment that fell due a month before it too', async () => {
  await using bank = await memoryBank('2027-03-16');
  await paySigned(bank, { from: 'nora', to: 'even', amount: '900000.00' });
  await advanceClock(bank, at('2027-03-17T12:00:00Z'));
  const runs = await listRuns(bank, { from: null, to: null });
  const attemptsOf = () =>
    Promise.all(runs.map(async ({ id }) => (await inspectRun(bank, id)).attempts.map(({ attempt }) => attempt)));
  const told = await attemptsOf();
  expect(told.flat().toSorted()).toEqual([1, 2, 3, 4, 5]);
  await bank.ledger.write(async (tx) => {
    await sql`pragma defer_foreign_keys = on`.execute(tx);
    await sql`update execution set id = id - ${days}`.execute(tx);
    await sql`update attempt set execution_id = execution_id - ${days}`.execute(tx);
  });
  expect(await attemptsOf()).toEqual(told);
});
