import { nextOrSame, type BankingCalendar } from './banking-calendar.ts';
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
