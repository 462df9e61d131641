import { addDays, weekday, yearOf, type LocalDate } from '../../values/local-date.ts';

/** Banking days and closed days (rules.md T3). */
export interface BankingCalendar {
  /** The holiday's name, `Saturday` or `Sunday`; null on a banking day. Throws outside its years. */
  closure(date: LocalDate): string | null;
}

/** First and last year, both included. */
export interface Years {
  readonly from: number;
  readonly to: number;
}

/**
 * A calendar of Mondays to Fridays without the holidays. `holidaysOf` returns a year's holidays by date and is called at
 * most once a year. A holiday on a weekend has the holiday's name.
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

/** True when settlement runs take place on the date. */
export function isBankingDay(date: LocalDate, calendar: BankingCalendar): boolean {
  return calendar.closure(date) === null;
}

/** The date itself if it is a banking day, or the next banking day. */
export function nextOrSame(date: LocalDate, calendar: BankingCalendar): LocalDate {
  let day = date;
  while (!isBankingDay(day, calendar)) day = addDays(day, 1);
  return day;
}

/** The date itself if it is a banking day, or the previous banking day. */
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

/** Execution date of a single payment (rules.md P3). */
interface ExecutionDate {
  readonly date: LocalDate;
  /** Why the requested day is closed: the holiday's name, `Saturday` or `Sunday`. Null if the date did not move. */
  readonly movedFrom: string | null;
}

/** The requested day if it is a banking day, or the next banking day. */
export function executionDateFor(requested: LocalDate, calendar: BankingCalendar): ExecutionDate {
  return { date: nextOrSame(requested, calendar), movedFrom: calendar.closure(requested) };
}

/**
 * Execution date of a payment that is signed today. A past date becomes today (rules.md P13); a closed day becomes the next
 * banking day (P3).
 */
export function executionDateWhenSigned(agreed: LocalDate, today: LocalDate, calendar: BankingCalendar): LocalDate {
  return nextOrSame(agreed < today ? today : agreed, calendar);
}

/** The banking day that replaces a closed day (rules.md R6). The interface spells it `preceeding`. */
export type ExecutionRule = 'following' | 'preceding';

/** Moves a date on a closed day; the result may lie in another month or year. */
export function adjust(date: LocalDate, rule: ExecutionRule, calendar: BankingCalendar): LocalDate {
  return rule === 'following' ? nextOrSame(date, calendar) : previousOrSame(date, calendar);
}
