import { Refusal } from '../../engine/values/fault.ts';
import type { WallClock } from '../../engine/time/clock.ts';

const second = 1_000;

/**
 * The requests that a bank takes in a second (docs/spec/control-plane.md H Limits). An unused second is not saved up: after a pause a bank takes
 * the requests of one second at once.
 */
export class RequestRate {
  readonly #perSecond: number;
  readonly #clock: Pick<WallClock, 'monotonic'>;
  /** When the requests that were taken are over at an even pace, by the monotonic clock. */
  #paidUntil = -Infinity;

  constructor(perSecond: number, clock: Pick<WallClock, 'monotonic'>) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Counts a request. Throws ACCESS_EXCEEDED with the seconds to wait, and does not count it, if it is one too many. */
  take(): void {
    const now = this.#clock.monotonic();
    const paidUntil = Math.max(this.#paidUntil, now) + second / this.#perSecond;
    // A rounding error of the sum is no request.
    if (paidUntil - now <= second + 1e-6) {
      this.#paidUntil = paidUntil;
      return;
    }
    const retryAfter = Math.ceil((paidUntil - now - second) / second);
    const text = `This bank takes ${this.#perSecond} requests a second. Send it again after the seconds in Retry-After.`;
    throw new Refusal({ code: 'ACCESS_EXCEEDED', text, retryAfter });
  }
}
