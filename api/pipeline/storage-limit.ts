import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** A size that was below the limit holds for this long, in ms. */
const holdsMs = 100;

/** What calls that were let through at once may add, in bytes: twenty of the largest bodies, each with its rows. */
const nearBytes = 20 * 2 * 8 * 1024 * 1024;

/** The storage limit of a bank, in bytes: for its files and the copies of its Undo (docs/spec/control-plane.md H Limits). */
export class StorageLimit {
  readonly #limit: number;
  readonly #measure: () => number;
  #bytes = 0;
  #measuredAt = -Infinity;
  /** The end of the last call of {@link adding} near the limit. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  /** `limit` in bytes; null: none. `measure` returns what the bank takes now. */
  constructor(limit: number | null, measure: () => number) {
    this.#limit = limit ?? Infinity;
    this.#measure = measure;
  }

  /** Whether the bank has reached its limit. Below the limit it measures ten times a second at most. */
  isFull(): boolean {
    if (this.#limit === Infinity) return false;
    if (this.#bytes < this.#limit && systemClock.monotonic() - this.#measuredAt < holdsMs) return false;
    return this.#measured() >= this.#limit;
  }

  /** Throws CONFLICT if the bank is full. */
  requireSpace(): void {
    if (this.isFull()) throw this.#full(this.#bytes);
  }

  /**
   * Carries out a call that adds to the bank. Near the limit such calls go one after the other, and each is measured then: together they
   * pass the limit by one call at most. Throws CONFLICT if the bank is full.
   */
  async adding<Result>(work: () => Promise<Result>): Promise<Result> {
    this.requireSpace();
    if (this.#limit - this.#bytes > nearBytes) return work();
    const call = this.#last.then(() => {
      this.requireFor(0);
      return work();
    });
    this.#last = call.catch(() => undefined);
    return call;
  }

  /** Throws CONFLICT if a copy of so many bytes would go beyond the limit. */
  requireFor(bytes: number): void {
    if (this.#limit === Infinity) return;
    if (this.#measured() + Math.max(bytes, 1) > this.#limit) throw this.#full(this.#bytes + bytes);
  }

  #measured(): number {
    this.#measuredAt = systemClock.monotonic();
    return (this.#bytes = this.#measure());
  }

  #full(bytes: number): Refusal {
    const limit = this.#limit.toLocaleString('en');
    const text =
      `This bank may take ${limit} bytes with its snapshots, and would take ${bytes.toLocaleString('en')}. ` +
      'DELETE a snapshot, restore an earlier one, or reset the bank.';
    return new Refusal({ code: 'CONFLICT', text });
  }
}
