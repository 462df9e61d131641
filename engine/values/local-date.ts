import { assert } from './assert.ts';
import { words } from './text.ts';

/** A bank date, `YYYY-MM-DD`, years 0001 to 9999 (rules.md T2). `<` and `>` on these strings compare the dates. */
export type LocalDate = string & { readonly __brand: 'LocalDate' };

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const zero = '0'.charCodeAt(0);

/** Parses exactly `YYYY-MM-DD`. Null for any other form and for a day that does not exist, such as 31 February. */
export function parseLocalDate(text: string): LocalDate | null {
  if (!datePattern.test(text)) return null;
  const date = text as LocalDate;
  const [year, month, day] = [yearOf(date), monthOf(date), dayOf(date)];
  const real = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return real ? date : null;
}

/** As parseLocalDate, for dates in our own code and files: throws RangeError instead of returning null. */
export function localDate(text: string): LocalDate {
  const date = parseLocalDate(text);
  if (date === null) throw new RangeError(`not a date: ${text}`);
  return date;
}

export const earliestDate = localDate('0001-01-01');
export const latestDate = localDate('9999-12-31');

/** 1 to 9999. */
export function yearOf(date: LocalDate): number {
  return numberAt(date, 0, 4);
}

/** 1 to 12. */
export function monthOf(date: LocalDate): number {
  return numberAt(date, 5, 7);
}

/** 1 to 31. */
export function dayOf(date: LocalDate): number {
  return numberAt(date, 8, 10);
}

/** Reads digits without cutting out a text: a run reads the parts of several dates for each standing order. */
function numberAt(date: LocalDate, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index += 1) number = number * 10 + date.charCodeAt(index) - zero;
  return number;
}

/** Days since 1970-01-01; negative before it. */
export function epochDay(date: LocalDate): number {
  return epochDayOf({ year: yearOf(date), month: monthOf(date), day: dayOf(date) });
}

/** The date that many whole days after 1970-01-01. Throws outside the years 0001 to 9999. */
export function fromEpochDay(days: number): LocalDate {
  assert(Number.isSafeInteger(days), `a whole number of days: ${days}`);
  const { year, month, day } = civilDayOf(days);
  return dateOf(year, month, day);
}

/** The date `days` later; earlier when negative. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return fromEpochDay(epochDay(date) + days);
}

/** Days from the first date to the second; negative when the second is earlier. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return epochDay(to) - epochDay(from);
}

/** ISO weekday: Monday 1 to Sunday 7. */
export function weekday(date: LocalDate): number {
  return weekdayOf(epochDay(date));
}

/** The wanted day (1..31) of a month (1..12), or the last day of a shorter month (rules.md R3). */
export function monthDay(year: number, month: number, wantedDay: number): LocalDate {
  return dateOf(year, month, Math.min(wantedDay, daysInMonth(year, month)));
}

function dateOf(year: number, month: number, day: number): LocalDate {
  assert(year >= 1 && year <= 9999, `a year from 0001 to 9999: ${year}`);
  return `${year < 1000 ? String(year).padStart(4, '0') : year}-${twoDigits[month]}-${twoDigits[day]}` as LocalDate;
}

/** `00` to `31`: faster than padding each time. */
const twoDigits: readonly string[] = Array.from({ length: 32 }, (_, value) => String(value).padStart(2, '0'));

/** A day of the Gregorian calendar: month 1..12, day 1..31. */
interface CivilDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

// Both functions below count in eras of 400 years that begin on 1 March, so that the leap day is the last day of its
// year and no month needs a table (Howard Hinnant, "chrono-compatible low-level date algorithms").
const daysInEra = 146_097;
const epochFromEra0 = 719_468;

/** Days from 1970-01-01 to this day; negative before it. The day must exist. */
export function epochDayOf({ year, month, day }: CivilDay): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysInEra + dayOfEra - epochFromEra0;
}

/** The day that many whole days after 1970-01-01. */
export function civilDayOf(epochDay: number): CivilDay {
  const shifted = epochDay + epochFromEra0;
  const era = Math.floor(shifted / daysInEra);
  const dayOfEra = shifted - era * daysInEra;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** ISO weekday of a day counted from 1970-01-01 (a Thursday): Monday 1 to Sunday 7. */
export function weekdayOf(epochDay: number): number {
  return ((((epochDay + 3) % 7) + 7) % 7) + 1;
}

/** 28 to 31; `month` is 1..12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Months since January of year 0, so that months are added as plain numbers. */
export function monthNumber(date: LocalDate): number {
  return yearOf(date) * 12 + monthOf(date) - 1;
}

/** As monthDay, for a month of {@link monthNumber}. Throws outside the years 0001 to 9999. */
export function dateInMonth(month: number, wantedDay: number): LocalDate {
  const year = Math.floor(month / 12);
  return monthDay(year, month - year * 12 + 1, wantedDay);
}

const weekdays = words(['Monday Tuesday Wednesday Thursday Friday Saturday Sunday']);
const months = words(['January February March April May June July August September October November December']);

/** `Thursday 25 March 2027`. */
export function formatDate(date: LocalDate): string {
  return `${formatWeekday(date)} ${dayOf(date)} ${formatMonth(monthOf(date))} ${yearOf(date)}`;
}

/** `Thursday`. */
export function formatWeekday(date: LocalDate): string {
  return weekdays[weekday(date) - 1] ?? '';
}

/** The name of month 1..12. */
export function formatMonth(month: number): string {
  return months[month - 1] ?? '';
}
