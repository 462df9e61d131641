import { expect, test } from '@jest/globals';
import { compareCopy } from '../../lab/copies.ts';

/* B10: tests/properties/copies.test.ts with more banks. */

const seeds = Array.from({ length: 20 }, (_, index) => 100 + index);

test.each(seeds)('B10: a copy goes on as its original would, seed %d', async (seed) => {
  const { original, copy, states, reset } = await compareCopy(seed);
  expect(copy).toEqual(original);
  expect(states[1]).toEqual(states[0]);
  expect(reset[1]).toBe(reset[0]);
});
