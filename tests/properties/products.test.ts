import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { memoryBank } from '../lab/bank.ts';
import { inventedMoves, movesOf } from '../support/moves.ts';
import { productStep, takeProductStep } from '../lab/random-actions.ts';
import { brokenProofs } from '../lab/proof.ts';
import { runs } from '../support/sample.ts';

const prices = await loadPriceList();

describe('after any history of every product', () => {
  test('S5, P11: currencies sum to zero, what was priced is what was paid, statuses moved along the table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(productStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        await using bank = await memoryBank('2027-03-24T15:00:00+01:00', { prices });
        for (const each of steps) await takeProductStep(bank, each);
        await advanceUntil(bank, { runs: 6 });
        expect(await brokenProofs(bank)).toEqual({});
        expect((await proveLedger(bank)).ok).toBe(true);
        expect(inventedMoves(await movesOf(bank))).toEqual([]);
      }),
      { numRuns: runs(15) },
    );
  });
});
