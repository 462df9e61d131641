import { expect, test } from '@jest/globals';
import { comparedOrders } from '../lab/planned-orders.ts';
import { runs, sameSample, seed as first } from '../support/sample.ts';

/* rules.md P3c, P3d, P13, S2, S6, Q12d: what is told of an order before its signature is what is stored, and what happens. */
test('random orders are paid as their plan says, and as all told who were asked before', async () => {
  for (let seed = first; seed < first + runs(2); seed += 1) {
    const compared = await comparedOrders(seed, 25);
    for (const { order, said, happened } of compared)
      expect({ seed, order, happened, sameSample }).toEqual({ seed, order, happened: said, sameSample });
    expect([seed, compared.length > 25]).toEqual([seed, true]);
  }
});
