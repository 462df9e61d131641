import { addDays, weekday, yearOf } from '../../values/local-date.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** Which days a bank is closed, as a value (rules.md T3). */
export interface BankingCalendar {
  /** Null on a banking day; else why it is closed: the holiday's name, `Saturday` or `Sunday`. Throws outside its years. */
  closure(date: LocalDate): string | null;
}

/** First and last year, both included. */
export interface Years {
  readonly from: number;
  readonly to: number;
}

/**
 * A calendar of Mondays to Fridays less the holidays. `holidaysOf` gives a year's closed days by name; it is asked when
 * a date of that year is, once. A holiday on a weekend goes by the holiday's name.
 */
export function bankingCalendar(
  holidaysOf: (year: number) => ReadonlyMap<LocalDate, string>,
  years: Years,
): BankingCalendar {
  const known = new Map<number, ReadonlyMap<LocalDate, string>>();
  return {
    closure(date) {
      const year = yearOf(date);
      let holidays = known.get(year);
      if (holidays === undefined) {
        if (year < years.from || year > years.to) {
          throw new RangeError(`the banking calendar covers ${years.from} to ${years.to}, not ${date}`);
        }
        holidays = holidaysOf(year);
        known.set(year, holidays);
      }
      return holidays.get(date) ?? weekend(date);
    },
  };
}

/** Whether settlement runs take place on the date. */
export function isBankingDay(date: LocalDate, calendar: BankingCalendar): boolean {
  return calendar.closure(date) === null;
}

/** The date itself on a banking day, else the first banking day after it. */
export function nextOrSame(date: LocalDate, calendar: BankingCalendar): LocalDate {
  let day = date;
  while (!isBankingDay(day, calendar)) day = addDays(day, 1);
  return day;
}

/** The date itself on a banking day, else the last banking day before it. */
export function previousOrSame(date: LocalDate, calendar: BankingCalendar): LocalDate {
  let day = date;
  while (!isBankingDay(day, calendar)) day = addDays(day, -1);
  return day;
}

function weekend(date: LocalDate): string | null {
  const day = weekday(date);
  if (day === 6) return 'Saturday';
  return day === 7 ? 'Sunday' : null;
}
