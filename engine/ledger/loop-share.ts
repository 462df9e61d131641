import type { Steps } from '../values/steps.ts';
import { nextTurn, systemClock } from '../time/clock.ts';

/** Maximum time that work runs before it yields, in ms. */
const share = 3;

/** Turns of the event loop that a request needs: accept the connection, read the request, read the rest of its body. */
const turnsOfRequest = 3;

/** A turn of the event loop that takes longer did work, in ms. */
const busyTurn = 0.2;

/** A request waits at most this long for a thread, such as that of its signature, in ms: meanwhile the event loop is idle. */
const threadWait = 0.5;

/** Maximum time that other work runs between two shares, in ms: under any load long work gets a fifth of the event loop. */
const maxOtherWork = 12;

/** Long work that waits for its next share, of all banks of the process. The first has waited longest. */
const waiting: (() => void)[] = [];
let isSharing = false;

/** Gives one share after the other, each after {@link otherWork}: a request waits for one share, however many banks have long work. */
async function giveShares(): Promise<void> {
  isSharing = true;
  while (waiting.length > 0) {
    await otherWork();
    waiting.shift()?.();
    // The share is used in this turn.
    await nextTurn();
  }
  isSharing = false;
}

/** Lets requests run to their answer: ends when the event loop is idle, at once if it already is. */
async function otherWork(): Promise<void> {
  const begun = systemClock.monotonic();
  let now = begun;
  let busyUntil = -Infinity;
  for (let turn = 0; turn < turnsOfRequest || now - busyUntil < threadWait; turn += 1) {
    const before = now;
    await nextTurn();
    now = systemClock.monotonic();
    if (now - before > busyTurn) busyUntil = now;
    if (now - begun > maxOtherWork && turn >= turnsOfRequest) return;
  }
}

/**
 * Limits how long work keeps the event loop. SQLite is synchronous, so long work would block every other bank of the
 * process, and `/health`, until it ends.
 */
export class LoopShare {
  readonly #passed: (passes: number) => void;
  #since = systemClock.monotonic();
  #passes = 0;
  #next: Promise<void> | null = null;

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

  /** Does work in shares. */
  async through<Result>(work: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (this.isUsed()) await this.pass();
    }
  }

  /** Yields: requests run first, then long work that has waited longer. Calls meanwhile wait for the same share. */
  pass(): Promise<void> {
    this.#next ??= this.#pass();
    return this.#next;
  }

  async #pass(): Promise<void> {
    this.#passes += 1;
    this.#passed(this.#passes);
    await new Promise<void>((go) => {
      waiting.push(go);
      if (!isSharing) void giveShares();
    });
    this.#next = null;
    this.#since = systemClock.monotonic();
  }
}
