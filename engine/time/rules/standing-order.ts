import type { BankingCalendar } from './banking-calendar.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { occurrence, type Occurrence, type Schedule } from './occurrences.ts';

/** The occurrences of one execution date, and the index to go on from: null when the order is at its end. */
export interface OccurrenceBatch {
  readonly occurrences: readonly Occurrence[];
  readonly nextIndex: number | null;
}

/** How far a standing order has been laid out for the runs; `nextIndex` null: to its end. */
export interface OrderPosition {
  readonly paymentId: number;
  readonly schedule: Schedule;
  readonly nextIndex: number | null;
}

/** The next occurrences of a standing order to schedule. */
export interface FollowingOccurrences extends OccurrenceBatch {
  readonly paymentId: number;
}

/** What an order gets once all that was laid of it has been tried (rules.md R8, R9); nothing at its end. */
export function followingOccurrences(order: OrderPosition, calendar: BankingCalendar): FollowingOccurrences[] {
  const { paymentId, schedule, nextIndex } = order;
  if (nextIndex === null) return [];
  return [{ paymentId, ...occurrencesFrom(schedule, nextIndex, calendar, null) }];
}

/**
 * The next occurrences to lay: the one at `index` and those after it that fall on the same execution date, each of
 * which is paid (rules.md R8). `notBefore` is the date of the next run when the order is signed: `preceding` never
 * pays earlier (R6), and all that this run finds due is laid, so that it takes them together (S3): signed after the
 * last run of a day, today's occurrence waits for the same run as tomorrow's. Null: the order runs already.
 */
export function occurrencesFrom(
  schedule: Schedule,
  index: number,
  calendar: BankingCalendar,
  notBefore: LocalDate | null,
): OccurrenceBatch {
  const laid: Occurrence[] = [];
  for (let next = index; ; next += 1) {
    const candidate = occurrence(schedule, next, calendar);
    if (candidate === null) return { occurrences: laid, nextIndex: null };
    const clamped = notLaterThan(notBefore, candidate);
    const first = laid[0]?.executionDate ?? clamped.executionDate;
    const through = notBefore !== null && notBefore > first ? notBefore : first;
    if (clamped.executionDate > through) return { occurrences: laid, nextIndex: next };
    laid.push(clamped);
  }
}

function notLaterThan(notBefore: LocalDate | null, candidate: Occurrence): Occurrence {
  const isEarly =
    notBefore !== null && candidate.executionDate < candidate.nominalDate && candidate.executionDate < notBefore;
  return isEarly ? { ...candidate, executionDate: notBefore, reason: 'the first run after signing' } : candidate;
}
