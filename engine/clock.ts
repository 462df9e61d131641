import type { Instant } from './core/instant.ts';

/** The wall clock: judges security (rules.md T1). The bank clock is derived from it, see core/bank-clock.ts. */
export interface WallClock {
  now(): Instant;
}

export const systemClock: WallClock = { now: () => Date.now() as Instant };
