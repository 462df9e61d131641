import type { Instant } from '../values/instant.ts';

/** The machine's clocks. */
export interface WallClock {
  /** What the wall clock shows: judges security (rules.md T1). It may be set, and jumps when the machine wakes. */
  now(): Instant;
  /** Milliseconds with fractions since some moment: never set, never goes back, and stands while the machine sleeps. */
  monotonic(): number;
}

export const systemClock: WallClock = { now: () => Date.now() as Instant, monotonic: () => performance.now() };

/** How far the wall clock may be from the time that has passed, in ms: beyond that it has jumped. */
const tolerance = 1_000;

/**
 * The wall clock without its steps back (rules.md T1): the time that passes, and what the wall clock goes ahead of it, as
 * after a sleep. The bank clock is derived from it, see core/bank-clock.ts. It is measured from one anchor, so that it does
 * not matter how often it is read.
 */
export class SteadyClock {
  readonly #wall: WallClock;
  #anchor: { readonly wall: Instant; readonly monotonic: number; readonly steady: number };

  /** Starts where the wall clock is, but not before `floor`. */
  constructor(wall: WallClock, floor: Instant) {
    this.#wall = wall;
    const now = wall.now();
    this.#anchor = { wall: now, monotonic: wall.monotonic(), steady: Math.max(now, floor) };
  }

  now(): Instant {
    this.jumped();
    return Math.floor(this.#anchor.steady + this.#wall.monotonic() - this.#anchor.monotonic) as Instant;
  }

  /** By how many ms the wall clock has jumped since it was last looked at: ahead positive, back negative, else 0. */
  jumped(): number {
    const [wall, monotonic] = [this.#wall.now(), this.#wall.monotonic()];
    const passed = monotonic - this.#anchor.monotonic;
    const jump = wall - this.#anchor.wall - passed;
    if (Math.abs(jump) <= tolerance) return 0;
    this.#anchor = { wall, monotonic, steady: this.#anchor.steady + passed + Math.max(0, jump) };
    return jump;
  }
}
