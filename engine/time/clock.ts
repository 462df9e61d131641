import type { Instant } from '../values/instant.ts';

/** The machine's clocks. */
export interface WallClock {
  /** The wall clock, used for certificates and signatures (rules.md T1). It may be set, and jumps after a sleep. */
  now(): Instant;
  /** Milliseconds with fractions since any moment. Never goes back; may stand still while the machine sleeps. */
  monotonic(): number;
}

export const systemClock: WallClock = { now: () => Date.now() as Instant, monotonic: () => performance.now() };

/** A difference between wall clock and monotonic clock of more than this, in ms, is a jump. */
const tolerance = 1_000;

/**
 * The wall clock without its steps back (rules.md T1): it follows the monotonic clock and the wall clock's jumps ahead, as
 * after a sleep. The bank clock is derived from it (rules/bank-clock.ts). It counts from one anchor, so that reading it
 * often adds no rounding errors.
 */
export class SteadyClock {
  readonly #wall: WallClock;
  #anchor: { readonly wall: Instant; readonly monotonic: number; readonly steady: number };

  /** Starts at the wall clock's time, or at `floor` when that is later. */
  constructor(wall: WallClock, floor: Instant) {
    this.#wall = wall;
    const now = wall.now();
    this.#anchor = { wall: now, monotonic: wall.monotonic(), steady: Math.max(now, floor) };
  }

  now(): Instant {
    this.jumped();
    return Math.floor(this.#anchor.steady + this.#wall.monotonic() - this.#anchor.monotonic) as Instant;
  }

  /** The wall clock's jump since the last reading, in ms: positive ahead, negative back, 0 for none. */
  jumped(): number {
    const [wall, monotonic] = [this.#wall.now(), this.#wall.monotonic()];
    const passed = monotonic - this.#anchor.monotonic;
    const jump = wall - this.#anchor.wall - passed;
    if (Math.abs(jump) <= tolerance) return 0;
    this.#anchor = { wall, monotonic, steady: this.#anchor.steady + passed + Math.max(0, jump) };
    return jump;
  }
}
