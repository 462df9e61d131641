import type { BankingCalendar } from './banking-calendar.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { occurrences, type Occurrence, type Schedule } from './occurrences.ts';

/** Occurrences to schedule together. `nextIndex`: the index after them; null: the order has no more. */
export interface OccurrenceBatch {
  readonly occurrences: readonly Occurrence[];
  readonly nextIndex: number | null;
}

/** How far a standing order has been scheduled; `nextIndex` null: to its end. */
export interface OrderPosition {
  readonly paymentId: number;
  readonly schedule: Schedule;
  readonly nextIndex: number | null;
}

/** The next occurrences of a standing order to schedule. */
export interface FollowingOccurrences extends OccurrenceBatch {
  readonly paymentId: number;
}

/** The occurrences to schedule once all scheduled ones have been attempted (rules.md R8, R9); null at the order's end. */
export function followingOccurrences(order: OrderPosition, calendar: BankingCalendar): FollowingOccurrences | null {
  const { paymentId, schedule, nextIndex } = order;
  return nextIndex === null ? null : { paymentId, ...occurrencesFrom(schedule, nextIndex, calendar, null) };
}

/**
 * The occurrence at `index` and those after it with the same execution date, each of which is paid (rules.md R8).
 * `notBefore` is the date of the next run, when the order is signed; null afterwards. With it, a `preceding` occurrence is
 * not executed earlier (R6), and all occurrences due at that run are included, so that it takes them together (S3): signed
 * after the last run of a day, today's occurrence waits for the same run as tomorrow's.
 */
export function occurrencesFrom(
  schedule: Schedule,
  index: number,
  calendar: BankingCalendar,
  notBefore: LocalDate | null,
): OccurrenceBatch {
  const scheduled: Occurrence[] = [];
  for (const candidate of occurrences(schedule, calendar, index)) {
    const clamped = notBeforeRun(notBefore, candidate);
    const first = scheduled[0]?.executionDate ?? clamped.executionDate;
    const through = notBefore !== null && notBefore > first ? notBefore : first;
    if (clamped.executionDate > through) return { occurrences: scheduled, nextIndex: candidate.index };
    scheduled.push(clamped);
  }
  return { occurrences: scheduled, nextIndex: null };
}

/** An occurrence that was moved to an earlier day, but not before the date of the next run (rules.md R6); null: of any day. */
export function notBeforeRun(notBefore: LocalDate | null, candidate: Occurrence): Occurrence {
  const { nominalDate, executionDate } = candidate;
  if (notBefore === null || executionDate >= nominalDate || executionDate >= notBefore) return candidate;
  return { ...candidate, executionDate: notBefore };
}
