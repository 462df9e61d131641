import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import { memoryBank } from '../lab/bank.ts';
import { movesOf } from '../support/moves.ts';
import { brokenProofs } from '../lab/proof.ts';
import { payTooMuch } from '../support/rejected-at-once.ts';

test.each([
  ['today', '2027-04-12', 'PDNG'],
  ['tomorrow', '2027-04-13', 'ACSP'],
])('P4, S9b: due %s, what its creditor account cannot hold is RJCT in the first run', async (_when, day, signed) => {
  await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
  const paymentId = await payTooMuch(bank, localDate(day));
  await advanceUntil(bank, { until: { paymentId, status: 'RJCT' } });
  expect((await movesOf(bank)).map((move) => move.join(' -> '))).toEqual([
    'new -> RCVD',
    `RCVD -> ${signed}`,
    `${signed} -> RJCT`,
  ]);
  expect(await brokenProofs(bank)).toEqual({});
});
