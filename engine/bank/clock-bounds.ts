import { clockRange, furthestAdvance } from '../time/rules/bank-clock.ts';
import { formatInstant, type Instant } from '../values/instant.ts';
import { NotAllowed } from './not-allowed.ts';

/** Refuses an instant outside the range of the bank clock: BAD_REQUEST. */
export function requireClockInstant(at: Instant): void {
  if (at >= clockRange.from && at <= clockRange.to) return;
  const text = 'The bank clock goes from 1991 to 2099, the years that the banking calendar covers.';
  throw new NotAllowed({ code: 'BAD_REQUEST', text }, bounds(clockRange.from, clockRange.to));
}

/** Refuses an advance of more than 10 years in one call: BAD_REQUEST. */
export function requireWithinOneCall(now: Instant, target: Instant): void {
  const furthest = furthestAdvance(now);
  if (target <= furthest) return;
  const text = `One call advances 10 years at most: from ${formatInstant(now)} to ${formatInstant(furthest)}. Advance in steps.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', text }, bounds(now, furthest));
}

/** Both instants as texts, for NotAllowed. */
export function bounds(from: Instant, to: Instant): { readonly from: string; readonly to: string } {
  return { from: formatInstant(from), to: formatInstant(to) };
}
