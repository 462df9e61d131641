import { openSince } from '../../parties/rules/access.ts';
import type { Fault } from '../../values/fault.ts';
import { formatInstant, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The kinds of read that are counted separately, one for each operation that the interface limits. */
export type CountedRead = 'balances' | 'transactions' | 'transaction-details';

/** Reads of one kind without the PSU in one window (interface: Limits). */
const maxReads = 4;
const windowLength = 24 * 60 * 60 * 1000;

/** Reads at this instant or earlier no longer count (rules.md A8: 24 hours of the bank clock). */
export function countedSince(now: Instant): Instant {
  return (now - windowLength) as Instant;
}

/**
 * ACCESS_EXCEEDED if the reads that still count (`earlier`, in order of time) allow no further read; else null
 * (rules.md A8). The text says when the next read is allowed, and that each page of a transaction list is a read (A8b).
 */
export function checkUnattendedRead(kind: CountedRead, earlier: readonly Instant[], now: Instant): Fault | null {
  const freedBy = earlier.at(-maxReads);
  if (freedBy === undefined) return null;
  const next = (freedBy + windowLength) as Instant;
  const pages =
    kind === 'transactions'
      ? ' Each page of a list is one read, so that a list of several pages is for when the PSU is present.'
      : '';
  const text =
    `Without the PSU, the ${kind} of an account are read at most ${maxReads} times in 24 hours; it is ` +
    `${formatInstant(now)} at the bank.${pages} Read again from ${formatInstant(next)} on, or send PSU-IP-Address when the ` +
    'PSU asks for it.';
  return { code: 'ACCESS_EXCEEDED', text, retryAfter: Math.ceil((next - now) / 1000) };
}

/** PERIOD_INVALID when `date` is more than 90 days ago, which needs the PSU's presence; else null (rules.md A8). */
export function checkUnattendedPeriod(date: LocalDate, now: Instant): Fault | null {
  const earliest = openSince(now);
  if (date >= earliest) return null;
  const text =
    `Transactions before ${earliest}, older than 90 days, are not read without the PSU; the request reaches back to ${date}. ` +
    'Ask for later ones, or send PSU-IP-Address when the PSU asks for them.';
  return { code: 'PERIOD_INVALID', path: 'dateFrom', text };
}
