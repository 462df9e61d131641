/** Numbers that look random and follow from a seed (mulberry32). */
export interface Seeded {
  /** A whole number from 0, below the limit. */
  below(limit: number): number;
  /** One of the items. Throws an Error if there are none. */
  pick<const T>(items: readonly T[]): T;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: <const T>(items: readonly T[]) => {
      if (items.length === 0) throw new Error('there is nothing to pick from');
      return items[below(items.length)] as T;
    },
  };
}
