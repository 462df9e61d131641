import { nextOrSame, previousOrSame } from './banking-calendar.ts';
import type { BankingCalendar } from './banking-calendar.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** Where a date on a closed day goes (rules.md R6); `preceding` is spelled `preceeding` on the wire. */
export type ExecutionRule = 'following' | 'preceding';

/** The banking day on which a date is executed; it may lie in another month or year. */
export function adjust(date: LocalDate, rule: ExecutionRule, calendar: BankingCalendar): LocalDate {
  return rule === 'following' ? nextOrSame(date, calendar) : previousOrSame(date, calendar);
}
