import { monthDay, monthOf, yearOf } from './local-date.ts';
import type { LocalDate } from './local-date.ts';

/** Months since January of year 0: month arithmetic as plain addition. */
export function monthNumber(date: LocalDate): number {
  return yearOf(date) * 12 + monthOf(date) - 1;
}

/** The wanted day (1..31) of that month, or its last day (rules.md R3). Throws outside the years 0001 to 9999. */
export function dateInMonth(month: number, wantedDay: number): LocalDate {
  const year = Math.floor(month / 12);
  return monthDay(year, month - year * 12 + 1, wantedDay);
}
