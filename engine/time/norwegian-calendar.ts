import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import type { HolidaysTypes } from 'date-holidays';
import { bankingCalendar } from './rules/banking-calendar.ts';
import type { BankingCalendar, Years } from './rules/banking-calendar.ts';
import { tabledHolidays } from './rules/holiday-table.ts';
import { localDate } from '../values/local-date.ts';
import type { LocalDate } from '../values/local-date.ts';

/**
 * A year more than the bank clock has at its beginning, for the run before, and two at its end, for dates that move
 * (rules.md T7).
 */
const years: Years = { from: 1989, to: 2101 };

/**
 * Norway's banking calendar (rules.md T3) with Norwegian holiday names; ` / ` joins two names of one date. A
 * table has the years about today. The first other year loads date-holidays, which takes about 0.1 s and 10 MB.
 */
export function norwegianCalendar(): BankingCalendar {
  return bankingCalendar((year) => tabledHolidays(year) ?? holidaysOfPackage(year), years);
}

let loaded: Holidays | null = null;

/** The holidays of a year by date-holidays. */
export function holidaysOfPackage(year: number): ReadonlyMap<LocalDate, string> {
  loaded ??= loadHolidays();
  const closed = new Map<LocalDate, string>();
  for (const holiday of loaded.getHolidays(year).filter(coversTheDay)) {
    // `date` is local time; `start` is UTC and falls on the day before.
    const date = localDate(holiday.date.slice(0, 10));
    const other = closed.get(date);
    closed.set(date, other === undefined ? holiday.name : `${other} / ${holiday.name}`);
  }
  return closed;
}

function loadHolidays(): Holidays {
  // The calendar is synchronous, so the package cannot be imported with await.
  const Class = createRequire(import.meta.url)('date-holidays') as typeof Holidays;
  return new Class('NO', { languages: 'no', types: ['public', 'bank'] });
}

// A rule with a time of day covers part of the day: `12-31 14:00 if sunday then 00:00` (rules.md T3: 31 December is
// open).
function coversTheDay(holiday: HolidaysTypes.Holiday): boolean {
  return !/\d:\d\d/.test(holiday.rule);
}
