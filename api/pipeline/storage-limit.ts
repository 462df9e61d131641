import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** A size that was below the limit holds for this long, in ms. */
const holdsMs = 100;

/** The storage limit of a bank, in bytes: for its files and the copies of its Undo (docs/spec/control-plane.md H Limits). */
export class StorageLimit {
  readonly #limit: number;
  readonly #measure: () => number;
  #bytes = 0;
  #measuredAt = -Infinity;

  /** `limit` in bytes; null: none. `measure` returns what the bank takes now. */
  constructor(limit: number | null, measure: () => number) {
    this.#limit = limit ?? Infinity;
    this.#measure = measure;
  }

  /** Whether the bank has reached its limit. Below the limit it measures ten times a second at most. */
  isFull(): boolean {
    if (this.#limit === Infinity) return false;
    const now = systemClock.monotonic();
    if (this.#bytes < this.#limit && now - this.#measuredAt < holdsMs) return false;
    this.#bytes = this.#measure();
    this.#measuredAt = now;
    return this.#bytes >= this.#limit;
  }

  /** Throws CONFLICT if the bank is full. */
  requireSpace(): void {
    if (this.isFull()) throw this.#full(this.#bytes);
  }

  /** Throws CONFLICT if a copy of so many bytes would go beyond the limit. */
  requireFor(bytes: number): void {
    if (this.#limit === Infinity) return;
    this.#bytes = this.#measure();
    this.#measuredAt = systemClock.monotonic();
    if (this.#bytes + bytes > this.#limit) throw this.#full(this.#bytes + bytes);
  }

  #full(bytes: number): Refusal {
    const limit = this.#limit.toLocaleString('en');
    const text =
      `This bank may take ${limit} bytes with its snapshots, and would take ${bytes.toLocaleString('en')}. ` +
      'DELETE a snapshot, restore an earlier one, or reset the bank.';
    return new Refusal({ code: 'CONFLICT', text });
  }
}
