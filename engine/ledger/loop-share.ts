import { nextTurn, systemClock } from '../time/clock.ts';

/** Maximum time that work runs before it yields, in ms. */
const share = 5;

/** Turns of the event loop that a request needs: accept the connection, read the request, read the rest of its body. */
const turnsOfRequest = 3;

/**
 * Limits how long work keeps the event loop. SQLite is synchronous, so long work would block every other bank of the
 * process, and `/health`, until it ends.
 */
export class LoopShare {
  readonly #passed: (passes: number) => void;
  #since = systemClock.monotonic();
  #passes = 0;

  /** `passed` is called at each {@link pass} with their number since {@link begin}. */
  constructor(passed: (passes: number) => void = () => undefined) {
    this.#passed = passed;
  }

  get passes(): number {
    return this.#passes;
  }

  /** Starts to measure another piece of work. */
  begin(): void {
    this.#passes = 0;
    this.#since = systemClock.monotonic();
  }

  /** True when it is time to {@link pass}. */
  isUsed(): boolean {
    return systemClock.monotonic() - this.#since > share;
  }

  /** Yields: work that is already waiting runs first. */
  async pass(): Promise<void> {
    this.#passes += 1;
    this.#passed(this.#passes);
    for (let turn = 0; turn < turnsOfRequest; turn += 1) await nextTurn();
    this.#since = systemClock.monotonic();
  }
}
