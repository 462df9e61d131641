import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '../values/fault.ts';
import { systemClock } from './clock.ts';

/** Maximum number of pieces of work of one kind that wait for one bank. */
const maxWaiting = 50;

/** Stands for the bank of work that no request of a bank has begun. */
const nobody = {};

const asking = new AsyncLocalStorage<object>();

/** Does work for a bank: what it puts into a {@link FairQueue} is of that bank. */
export function asBank<Result>(bank: object, work: () => Result): Result {
  return asking.run(bank, work);
}

/** The bank that work is done for. */
export function askingBank(): object {
  return asking.getStore() ?? nobody;
}

/** The longest wait of each bank, in ms. */
const longest = new WeakMap<object, number>();
const queues = new Set<FairQueue>();

/** How much work of a bank waits now, in all queues, and its longest wait, in ms. */
export function waitsOf(bank: object): { readonly waiting: number; readonly longestMs: number } {
  const waiting = [...queues].reduce((sum, queue) => sum + queue.waitingFor(bank), 0);
  return { waiting, longestMs: Math.round(longest.get(bank) ?? 0) };
}

/** Ends the work of a bank that waits in the queues, because the bank closes: it fails with this error. */
export function endWaiting(bank: object, error: Error): void {
  for (const queue of queues) queue.end(bank, error);
}

interface Waiting {
  begin(): void;
  end(error: Error): void;
}

/**
 * Work of one kind, of all banks of a process, that would keep the processor from others if it were done at once (docs/spec/control-plane.md
 * H Shares). A bank does one piece at a time, and the banks take turns.
 */
export class FairQueue {
  readonly #what: string;
  readonly #atOnce: number;
  /** The bank whose turn is next first. */
  readonly #waiting = new Map<object, Waiting[]>();
  readonly #busy = new Set<object>();
  /** Duration of the last piece, in ms. */
  #lastMs = 0;

  /** `what` it does, in the text of a refusal; `atOnce`: how many banks do it at a time. */
  constructor(what: string, atOnce = 1) {
    this.#what = what;
    this.#atOnce = atOnce;
    queues.add(this);
  }

  waitingFor(bank: object): number {
    return this.#waiting.get(bank)?.length ?? 0;
  }

  /** True if work of the asking bank would begin at once. */
  get isFree(): boolean {
    return this.#busy.size < this.#atOnce && !this.#busy.has(askingBank());
  }

  /** True if no work waits. */
  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Does work of the asking bank in its turn. Throws ACCESS_EXCEEDED with the seconds to wait if too much of it waits. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const bank = askingBank();
    await this.#turnOf(bank);
    const begun = systemClock.monotonic();
    try {
      return await work();
    } finally {
      this.#lastMs = systemClock.monotonic() - begun;
      this.#busy.delete(bank);
      this.#next();
    }
  }

  #turnOf(bank: object): Promise<void> | null {
    if (this.isFree) {
      this.#busy.add(bank);
      return null;
    }
    const mine = this.#waiting.get(bank) ?? [];
    if (mine.length >= maxWaiting) throw this.#full(mine.length);
    const asked = systemClock.monotonic();
    this.#waiting.set(bank, mine);
    return new Promise((resolve, end) => {
      const begin = (): void => {
        longest.set(bank, Math.max(longest.get(bank) ?? 0, systemClock.monotonic() - asked));
        resolve();
      };
      mine.push({ begin, end });
    });
  }

  /** See {@link endWaiting}. */
  end(bank: object, error: Error): void {
    const mine = this.#waiting.get(bank) ?? [];
    this.#waiting.delete(bank);
    for (const each of mine) each.end(error);
  }

  #next(): void {
    for (const [bank, mine] of this.#waiting) {
      if (this.#busy.size >= this.#atOnce) return;
      if (this.#busy.has(bank)) continue;
      const next = mine.shift();
      // Its next turn is after those of all others.
      this.#waiting.delete(bank);
      if (mine.length > 0) this.#waiting.set(bank, mine);
      this.#busy.add(bank);
      next?.begin();
    }
  }

  #full(waiting: number): Refusal {
    const retryAfter = Math.max(1, Math.ceil((waiting * this.#lastMs * this.#waiting.size) / 1000));
    const text = `${maxWaiting} ${this.#what} of this bank are already waiting. Send it again after the seconds in Retry-After.`;
    return new Refusal({ code: 'ACCESS_EXCEEDED', text, retryAfter });
  }
}
