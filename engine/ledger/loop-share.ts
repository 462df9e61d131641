import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** How long work may go on before it lets others in, in ms. */
const share = 5;

/** A connection is taken in one turn of the loop, its request read in the next, the rest of a body in a third. */
const turnsOfRequest = 3;

/**
 * How long work has had the event loop: SQLite answers without leaving the turn, and a large piece of work would keep every
 * other bank of the process, and `/health`, waiting until it is over.
 */
export class LoopShare {
  readonly #passed: (passes: number) => void;
  #since = performance.now();
  #passes = 0;

  /** `passed` hears how often others were let in, since {@link begin}. */
  constructor(passed: (passes: number) => void = () => undefined) {
    this.#passed = passed;
  }

  get passes(): number {
    return this.#passes;
  }

  /** Another piece of work. */
  begin(): void {
    this.#passes = 0;
    this.#since = performance.now();
  }

  /** Whether it is time to {@link pass}. */
  isUsed(): boolean {
    return performance.now() - this.#since > share;
  }

  /** Lets others in: whatever waits by now is served first. */
  async pass(): Promise<void> {
    this.#passes += 1;
    this.#passed(this.#passes);
    for (let turn = 0; turn < turnsOfRequest; turn += 1) await setImmediate();
    this.#since = performance.now();
  }
}
