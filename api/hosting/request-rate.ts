import { Refusal } from '../../engine/values/fault.ts';
import type { WallClock } from '../../engine/time/clock.ts';

const second = 1_000;

/**
 * Limits the requests that a bank takes in a second (docs/spec/control-plane.md H Limits). An unused second is not saved up: after a pause a
 * bank takes the requests of one second at once. The result counts a request; for one too many it throws ACCESS_EXCEEDED with the seconds to
 * wait, and does not count it.
 */
export function requestRate(perSecond: number, clock: Pick<WallClock, 'monotonic'>): () => void {
  /** When the requests that were taken are over at an even pace, by the monotonic clock. */
  let takenUntil = -Infinity;
  return () => {
    const now = clock.monotonic();
    const until = Math.max(takenUntil, now) + second / perSecond;
    // A rounding error of the sum is no request.
    if (until - now > second + 1e-6) {
      const retryAfter = Math.ceil((until - now - second) / second);
      const text = `This bank takes ${perSecond} requests a second. Send it again after the seconds in Retry-After.`;
      throw new Refusal({ code: 'ACCESS_EXCEEDED', text, retryAfter });
    }
    takenUntil = until;
  };
}
