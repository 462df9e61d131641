import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import type { Instant } from '../values/instant.ts';

/*
 * Node's timers and its monotonic clock, as they were before a test runner replaced them: fake timers (jest, vitest,
 * sinon, node:test) stop those of the process until the test moves them, and a bank inside a test goes on all the same.
 * So nothing else in `engine` and `api` uses the global ones. The harness loads this file as soon as `sandbank` is
 * imported. `Date` is the test's, faked or not: what a program under test signs by it is in time for the bank.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Resolves in the next turn of the event loop: what waits already runs first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves after a few turns, in which arrived requests are read: a connection is accepted in one, read in another. */
export async function turnsToRead(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

/** The machine's clocks. */
export interface WallClock {
  /** The wall clock, used for certificates and signatures (rules.md T1). It may be set, and jumps after a sleep. */
  now(): Instant;
  /** Milliseconds with fractions since any moment. Never goes back; may stand still while the machine sleeps. */
  monotonic(): number;
}

// Fake timers give the object a method of its own.
const { now: monotonic } = Object.getPrototypeOf(performance) as Pick<typeof performance, 'now'>;

export const systemClock: WallClock = {
  now: () => Date.now() as Instant,
  monotonic: () => monotonic.call(performance),
};

/** A difference between wall clock and monotonic clock of more than this, in ms, is a jump. */
const tolerance = 1_000;

/**
 * The wall clock without its steps back (rules.md T1): it follows the monotonic clock, and a jump of the wall clock to
 * a time that it has not reached yet, as after a sleep (T1b). The bank clock is derived from it (rules/bank-clock.ts).
 * It counts from one anchor, so that reading it often adds no rounding errors.
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
    const elapsed = monotonic - this.#anchor.monotonic;
    const jump = wall - this.#anchor.wall - elapsed;
    if (Math.abs(jump) <= tolerance) return 0;
    this.#anchor = { wall, monotonic, steady: Math.max(this.#anchor.steady + elapsed, wall) };
    return jump;
  }
}
