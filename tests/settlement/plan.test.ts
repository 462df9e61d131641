import { expect, test } from '@jest/globals';
import { comparedOrders } from '../lab/planned-orders.ts';
import { runs } from '../support/sample.ts';

/* rules.md P3c, P3d, P13, S2, S6, Q12d: what is told of an order before its signature is what is stored, and what happens. */
test('random orders are paid as their plan says, and as all told who were asked before', async () => {
  const first = Math.floor(performance.timeOrigin) % 1_000_000_000;
  for (let seed = first; seed < first + runs(6); seed += 1)
    for (const { order, said, happened } of await comparedOrders(seed, 25))
      expect({ seed, order, happened }).toEqual({ seed, order, happened: said });
});
