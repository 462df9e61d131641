import { type BankingCalendar, nextOrSame, previousOrSame } from './banking-calendar.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** Execution date of a single payment (rules.md P3). */
export interface ExecutionDate {
  readonly date: LocalDate;
  /** Why the requested day is closed: the holiday's name, `Saturday` or `Sunday`. Null: the date was not moved. */
  readonly movedFrom: string | null;
}

/** The requested day, or on a closed day the next banking day. */
export function executionDateFor(requested: LocalDate, calendar: BankingCalendar): ExecutionDate {
  return { date: nextOrSame(requested, calendar), movedFrom: calendar.closure(requested) };
}

/**
 * Execution date of a payment that is signed today: a date that has passed becomes today (rules.md P13), or on a closed
 * day the next banking day (P3).
 */
export function executionDateWhenSigned(agreed: LocalDate, today: LocalDate, calendar: BankingCalendar): LocalDate {
  return agreed < today ? nextOrSame(today, calendar) : agreed;
}

/** The banking day that replaces a closed day (rules.md R6). The interface spells it `preceeding`. */
export type ExecutionRule = 'following' | 'preceding';

/** Moves a date on a closed day; the result may lie in another month or year. */
export function adjust(date: LocalDate, rule: ExecutionRule, calendar: BankingCalendar): LocalDate {
  return rule === 'following' ? nextOrSame(date, calendar) : previousOrSame(date, calendar);
}
