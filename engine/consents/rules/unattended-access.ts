import { openSince } from '../../parties/rules/access.ts';
import type { Fault } from '../../values/fault.ts';
import { formatInstant, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** What of an account is counted, each for itself: one for each operation that the interface limits. */
export type CountedRead = 'balances' | 'transactions' | 'transaction-details';

/** How often an account is read without the PSU in one window (interface: Limits). */
const mostReads = 4;
const windowLength = 24 * 60 * 60 * 1000;

/** Reads at this instant or earlier no longer count (rules.md A8: 24 hours of the bank clock). */
export function countedSince(now: Instant): Instant {
  return (now - windowLength) as Instant;
}

/** What stands against one more read without the PSU after those that still count, the earliest first, or null (rules.md A8). */
export function checkUnattendedRead(kind: CountedRead, earlier: readonly Instant[], now: Instant): Fault | null {
  const freedBy = earlier.at(-mostReads);
  if (freedBy === undefined) return null;
  const next = (freedBy + windowLength) as Instant;
  const text =
    `Without the PSU, the ${kind} of an account are read at most ${mostReads} times in 24 hours; it is ` +
    `${formatInstant(now)} at the bank. Read again from ${formatInstant(next)} on, or send PSU-IP-Address when the PSU asks for it.`;
  return { code: 'ACCESS_EXCEEDED', text };
}

/** What stands against reading transactions from `date` on without the PSU, or null: 90 days are open (rules.md A8). */
export function checkUnattendedPeriod(date: LocalDate, now: Instant): Fault | null {
  const earliest = openSince(now);
  if (date >= earliest) return null;
  const text =
    `Transactions before ${earliest}, older than 90 days, are not read without the PSU; the request reaches back to ${date}. ` +
    'Ask for later ones, or send PSU-IP-Address when the PSU asks for them.';
  return { code: 'PERIOD_INVALID', path: 'dateFrom', text };
}
