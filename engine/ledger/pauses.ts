import { systemClock, turnsToRead } from '../time/clock.ts';

/** Maximum time that long work keeps the event loop, in ms. */
const longestMs = 3;

/**
 * The pauses of one piece of long work. SQLite is synchronous: without them a large run would keep every bank of the
 * process, and `/health`, waiting until its end.
 */
export class Pauses {
  #since = systemClock.monotonic();
  #count = 0;

  /** Number of pauses since {@link begin}. */
  get count(): number {
    return this.#count;
  }

  /** Another piece of work begins. */
  begin(): void {
    this.#count = 0;
    this.#since = systemClock.monotonic();
  }

  isDue(): boolean {
    return systemClock.monotonic() - this.#since > longestMs;
  }

  /** Lets everything run that waits for the event loop. A request over a new connection waits for one pause only. */
  async take(): Promise<void> {
    this.#count += 1;
    await turnsToRead();
    this.#since = systemClock.monotonic();
  }
}
