import { assert } from '../../values/assert.ts';
import type { Interval } from './frequency.ts';
import {
  dateInMonth,
  dayOf,
  daysBetween,
  daysInMonth,
  epochDay,
  fromEpochDay,
  localDate,
  type LocalDate,
  monthNumber,
  monthOf,
  yearOf,
} from '../../values/local-date.ts';

/** The last possible execution date (rules.md T7). */
export const lastExecutionDate = localDate('2099-12-31');

/** The dates of a standing order before closed days move them, numbered from 0, strictly ascending (rules.md R2). */
export interface NominalDates {
  /** Null past 2099. */
  at(index: number): LocalDate | null;
  /** First index on or after the date; `at` may return null for it. */
  firstFrom(date: LocalDate): number;
}

interface NominalRule {
  readonly startDate: LocalDate;
  /** 1..31; null: the day of startDate (rules.md R3). */
  readonly dayOfExecution: number | null;
  /** 1..12, all different; required for listed months, else ignored (rules.md R5). */
  readonly monthsOfExecution: readonly number[] | null;
}

/** Computes every date from the start and the rule, at the same cost for any index. Throws when the rule breaks R3 or R5. */
export function nominalDates(rule: NominalRule, interval: Interval): NominalDates {
  const { startDate } = rule;
  if (interval.unit === 'day') return everyDays(startDate, interval.every);
  const day = rule.dayOfExecution ?? dayOf(startDate);
  assert(Number.isInteger(day) && day >= 1 && day <= 31, `a day of execution from 1 to 31: ${day}`);
  if (interval.unit === 'listed-month') return inListedMonths(startDate, day, rule.monthsOfExecution ?? []);
  return everyMonths(startDate, day, interval.every);
}

function everyDays(start: LocalDate, step: number): NominalDates {
  const first = epochDay(start);
  const last = epochDay(lastExecutionDate);
  return {
    at: (index) => (first + index * step > last ? null : fromEpochDay(first + index * step)),
    firstFrom: (date) => Math.max(0, Math.ceil(daysBetween(start, date) / step)),
  };
}

function everyMonths(start: LocalDate, day: number, step: number): NominalDates {
  const startMonth = monthNumber(start);
  // R4: the interval counts from the first day of execution on or after startDate.
  const isPast = Math.min(day, daysInMonth(yearOf(start), monthOf(start))) < dayOf(start);
  const anchor = isPast ? startMonth + 1 : startMonth;
  const at = (index: number): LocalDate | null => inMonth(anchor + index * step, day);
  return {
    at,
    firstFrom: (date) => notBefore(at, date, Math.max(0, Math.floor((monthNumber(date) - anchor) / step))),
  };
}

function inListedMonths(start: LocalDate, day: number, months: readonly number[]): NominalDates {
  const listed = months.toSorted((a, b) => a - b);
  const count = listed.length;
  assert(count > 0 && new Set(listed).size === count, 'R5: at least one month of execution, all different');
  assert(
    listed.every((month) => Number.isInteger(month) && month >= 1 && month <= 12),
    'R5: months of execution from 1 to 12',
  );
  // A position counts listed months since year 0, so that no loop over years is needed.
  const dateAt = (position: number): LocalDate | null => {
    const year = Math.floor(position / count);
    return inMonth(year * 12 + (listed[position - year * count] ?? 1) - 1, day);
  };
  const positionFrom = (date: LocalDate): number => {
    const month = monthNumber(date);
    const earlier = listed.filter((one) => one <= month % 12).length;
    return notBefore(dateAt, date, Math.floor(month / 12) * count + earlier);
  };
  const anchor = positionFrom(start);
  return { at: (index) => dateAt(anchor + index), firstFrom: (date) => Math.max(0, positionFrom(date) - anchor) };
}

/** The index, or the one after it when its date is in the right month but before `date`. */
function notBefore(at: (index: number) => LocalDate | null, date: LocalDate, index: number): number {
  const found = at(index);
  return found !== null && found < date ? index + 1 : index;
}

function inMonth(month: number, day: number): LocalDate | null {
  return month > monthNumber(lastExecutionDate) ? null : dateInMonth(month, day);
}
