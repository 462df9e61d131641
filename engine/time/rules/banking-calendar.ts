import { addDays, weekday, yearOf, type LocalDate } from '../../values/local-date.ts';

/** Which days the bank is open: no run is on a closed day (rules.md T3, T4). */
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
 * A calendar of Mondays to Fridays without the holidays. `holidaysOf` returns a year's holidays by date and is called
 * at most once a year. A holiday on a weekend has the holiday's name.
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

/** The first banking day after the date. */
export function nextBankingDay(date: LocalDate, calendar: BankingCalendar): LocalDate {
  return nextOrSame(addDays(date, 1), calendar);
}

/** The banking day that lies N banking days after a date. */
export function bankingDaysAfter(date: LocalDate, days: number, calendar: BankingCalendar): LocalDate {
  let day = date;
  for (let left = days; left > 0; left -= 1) day = nextBankingDay(day, calendar);
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

/**
 * Execution date of a payment that is signed today. A past date becomes today (rules.md P13); a closed day becomes the
 * next banking day (P3).
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

/** An execution date, and the date and rule behind it. */
export interface DatedExecution {
  /** The date before any closed day moved it: an occurrence's nominal date, else the date requested. */
  readonly wanted: LocalDate;
  readonly executionDate: LocalDate;
  readonly rule: ExecutionRule;
  /** The day of the signature; of an unsigned payment today. */
  readonly signedOn: LocalDate;
}

/** Why an execution is on another date than the one wanted (rules.md P3, P13, R6). */
export interface MovedDate extends DatedExecution {
  readonly kind: 'moved';
  /**
   * The closed days between the date wanted and the banking day that the rule gives, in order: `weekend` or a holiday.
   * It is empty if it is a banking day.
   */
  readonly closed: readonly string[];
  /** The banking day that the rule gives, if its runs, or its cut-off, were over at the signature. */
  readonly missed: LocalDate | null;
  /** Whether that day itself was over at the signature. */
  readonly hasPassed: boolean;
  /** False means an occurrence of an unsigned order, as if it were signed now. */
  readonly isSigned: boolean;
}

/** Why an execution date is not the date wanted, or null if it is. */
export function movedDate(
  { wanted, executionDate, rule, signedOn }: DatedExecution,
  calendar: BankingCalendar,
  isSigned = true,
): MovedDate | null {
  if (executionDate === wanted) return null;
  const adjusted = adjust(wanted, rule, calendar);
  const missed = adjusted === executionDate ? null : adjusted;
  return {
    kind: 'moved',
    wanted,
    executionDate,
    rule,
    closed: closedDays(wanted, adjusted, calendar),
    missed,
    hasPassed: signedOn > adjusted,
    signedOn,
    isSigned,
  };
}

/**
 * Names the closed days from the date wanted to the one it moves to, each once. A Saturday or Sunday without a holiday
 * is `weekend`.
 */
function closedDays(wanted: LocalDate, adjusted: LocalDate, calendar: BankingCalendar): string[] {
  const names = new Set<string>();
  const [first, end] = adjusted > wanted ? [wanted, adjusted] : [addDays(adjusted, 1), addDays(wanted, 1)];
  for (let day = first; adjusted !== wanted && day < end; day = addDays(day, 1)) {
    const name = calendar.closure(day);
    if (name !== null) names.add(name === 'Saturday' || name === 'Sunday' ? 'weekend' : name);
  }
  return [...names];
}
