import { expect, test } from '@jest/globals';
import { compareCopy } from '../lab/copies.ts';

/* B10: a copy of a bank in the middle of everything behaves as its original from there on, and the original does not notice. */

test.each([1, 2, 3])('B10: a copy goes on as its original would, seed %d', async (seed) => {
  const { original, copy, states, reset } = await compareCopy(seed);
  expect(copy).toEqual(original);
  expect(original.filter((answer) => /^20[01] /.test(answer)).length).toBeGreaterThan(4);
  expect(states[1]).toEqual(states[0]);
  expect(reset[1]).toBe(reset[0]);
});
