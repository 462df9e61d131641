import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import { addDays, type LocalDate, monthOf } from '../../values/local-date.ts';

/** A Saturday that ends a month and is no holiday: banks book fees and foreign cards on it (register 25). */
export function isSaturdayAtMonthEnd(date: LocalDate, calendar: BankingCalendar): boolean {
  return monthOf(addDays(date, 1)) !== monthOf(date) && calendar.closure(date) === 'Saturday';
}
