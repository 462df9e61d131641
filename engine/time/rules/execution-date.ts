import { type BankingCalendar, nextOrSame, previousOrSame } from './banking-calendar.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** When a single payment is executed, and why not on the day asked for (rules.md P3). */
export interface ExecutionDate {
  readonly date: LocalDate;
  /** The name of the closed day that was asked for; null when the date stands. */
  readonly movedFrom: string | null;
}

/** The banking day on which a payment asked for `requested` is executed: the day itself or the following one. */
export function executionDateFor(requested: LocalDate, calendar: BankingCalendar): ExecutionDate {
  return { date: nextOrSame(requested, calendar), movedFrom: calendar.closure(requested) };
}

/**
 * The execution date of a payment that is signed today: a date that passed counts as due today (rules.md P13), which
 * a closed day moves on (P3).
 */
export function executionDateWhenSigned(agreed: LocalDate, today: LocalDate, calendar: BankingCalendar): LocalDate {
  return agreed < today ? nextOrSame(today, calendar) : agreed;
}

/** Where a date on a closed day goes (rules.md R6); `preceding` is spelled `preceeding` on the wire. */
export type ExecutionRule = 'following' | 'preceding';

/** The banking day on which a date is executed; it may lie in another month or year. */
export function adjust(date: LocalDate, rule: ExecutionRule, calendar: BankingCalendar): LocalDate {
  return rule === 'following' ? nextOrSame(date, calendar) : previousOrSame(date, calendar);
}
