import { expect, test } from '@jest/globals';
import { largestSaving, livesOf } from '../lab/believed.ts';

/* Bounds of a year that a Norwegian believes, over eight seeds of each persona. */

const lives = new Map(
  await Promise.all(
    ['family', 'pensioner', 'shop', 'short-of-funds', 'student'].map(
      async (name) => [name, await livesOf(name)] as const,
    ),
  ),
);
const of = (name: string) => lives.get(name) ?? [];

test.each(['family', 'pensioner', 'shop', 'student'])(
  'L3b: no month of a made year of %s saves more than three times what its median month does',
  (name) => {
    const largest = of(name).map(largestSaving);
    expect(largest).toHaveLength(8);
    for (const each of largest) expect(each).toBeLessThanOrEqual(3);
  },
);
