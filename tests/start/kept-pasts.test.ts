import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { keptPasts } from '../../api/start/kept-pasts.ts';

test('L10: a past is found as soon as it is kept, is packed beside requests, and the newest eight stay in memory', async () => {
  const images = Array.from({ length: 9 }, (_, index) => randomBytes(1_000 + index));
  const keyOf = (index: number): string => `a past ${index}`;
  const [first = Buffer.alloc(0)] = images;
  keptPasts.keep(keyOf(0), first);
  // The buffer itself: nothing was packed meanwhile.
  expect(keptPasts.find(keyOf(0))).toBe(first);
  while (keptPasts.find(keyOf(0)) === first) await setImmediate();
  expect(keptPasts.find(keyOf(0))).toEqual(first);
  images.slice(1).forEach((image, index) => keptPasts.keep(keyOf(index + 1), image));
  expect(images.map((_, index) => keptPasts.find(keyOf(index)))).toEqual([null, ...images.slice(1)]);
});
