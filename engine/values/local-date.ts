import { assert } from './assert.ts';
import { civilDayOf, daysInMonth, epochDayOf, weekdayOf } from './civil-day.ts';

export { daysInMonth } from './civil-day.ts';

/** A bank date, `YYYY-MM-DD`, years 0001 to 9999 (rules.md T2). Texts of this form compare as dates do. */
export type LocalDate = string & { readonly __brand: 'LocalDate' };

const pattern = /^\d{4}-\d{2}-\d{2}$/;

/** The date, or null unless the text is exactly `YYYY-MM-DD` and a day that exists: 31 February is none. */
export function parseLocalDate(text: string): LocalDate | null {
  if (!pattern.test(text)) return null;
  const date = text as LocalDate;
  const [year, month, day] = [yearOf(date), monthOf(date), dayOf(date)];
  const real = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return real ? date : null;
}

/** For dates written by us, not by a caller: throws where parseLocalDate gives null. */
export function localDate(text: string): LocalDate {
  const date = parseLocalDate(text);
  if (date === null) throw new RangeError(`not a date: ${text}`);
  return date;
}

export const earliestDate = localDate('0001-01-01');
export const latestDate = localDate('9999-12-31');

/** 1 to 9999. */
export function yearOf(date: LocalDate): number {
  return Number(date.slice(0, 4));
}

/** 1 to 12. */
export function monthOf(date: LocalDate): number {
  return Number(date.slice(5, 7));
}

/** 1 to 31. */
export function dayOf(date: LocalDate): number {
  return Number(date.slice(8, 10));
}

/** Days since 1970-01-01; negative before it. */
export function epochDay(date: LocalDate): number {
  return epochDayOf({ year: yearOf(date), month: monthOf(date), day: dayOf(date) });
}

/** The date a whole number of days after 1970-01-01. Throws outside the years 0001 to 9999. */
export function fromEpochDay(days: number): LocalDate {
  assert(Number.isSafeInteger(days), `a whole number of days: ${days}`);
  const { year, month, day } = civilDayOf(days);
  return dateOf(year, month, day);
}

/** The date `days` later, or earlier when negative. */
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

/** The wanted day (1..31) of a month (1..12), or the month's last day when it has no such day (rules.md R3). */
export function monthDay(year: number, month: number, wantedDay: number): LocalDate {
  return dateOf(year, month, Math.min(wantedDay, daysInMonth(year, month)));
}

function dateOf(year: number, month: number, day: number): LocalDate {
  assert(year >= 1 && year <= 9999, `a year from 0001 to 9999: ${year}`);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as LocalDate;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
