import { assert } from './assert.ts';
import {
  civilDayOf,
  daysInMonth,
  earliestDate,
  epochDay,
  epochDayOf,
  fromEpochDay,
  latestDate,
  type LocalDate,
  parseLocalDate,
  weekdayOf,
} from './local-date.ts';

/** Whole milliseconds since 1970-01-01T00:00Z (rules.md T2). */
export type Instant = number & { readonly __brand: 'Instant' };

const msPerMinute = 60_000;
const dateTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/;
const widestOffset = 14 * 60;
const firstDay = epochDay(earliestDate);
const lastDay = epochDay(latestDate);

/**
 * Parses an ISO 8601 date-time with `Z` or an offset, or a plain date, which means 00:00 in Oslo (rules.md T7). Seconds
 * are optional, with up to nine decimals, cut off after milliseconds. Null for anything else: no offset, a day or time
 * that does not exist (24:00 and leap seconds too), an offset beyond 14 hours, an Oslo year outside 0001-9999.
 */
export function parseInstant(text: string): Instant | null {
  const plain = parseLocalDate(text);
  if (plain !== null) return startOfDay(plain);
  const match = dateTime.exec(text);
  const date = parseLocalDate(match?.[1] ?? '');
  if (match === null || date === null) return null;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? '0')];
  const offset = Number(match[7] ?? '0') * 60 + Number(match[8] ?? '0');
  if (hour > 23 || minute > 59 || second > 59 || Number(match[8] ?? '0') > 59 || offset > widestOffset) return null;
  const ms = Number((match[5] ?? '').padEnd(3, '0').slice(0, 3));
  const east = (match[6] === '-' ? -offset : offset) * msPerMinute;
  const instant = epochDay(date) * msPerDay + (hour * 60 + minute) * msPerMinute + second * 1000 + ms - east;
  const day = localDay(instant);
  return day >= firstDay && day <= lastDay ? (instant as Instant) : null;
}

/** `2027-03-30T05:30:00.000+02:00`: always with milliseconds and the Oslo offset. */
export function formatInstant(instant: Instant): string {
  const offset = offsetAt(instant);
  const ofDay = msOfDay(instant);
  const [hours, minutes] = [Math.floor(ofDay / 3_600_000), Math.floor(ofDay / msPerMinute) % 60];
  const [seconds, ms] = [Math.floor(ofDay / 1000) % 60, ofDay % 1000];
  const time = `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(ms, 3)}`;
  return `${osloDate(instant)}T${time}+${pad(offset / 3_600_000, 2)}:00`;
}

/** The time that Oslo's clocks show: `05:30`. */
export function timeOfDay(instant: Instant): string {
  return formatInstant(instant).slice(11, 16);
}

/** The bank date of an instant: its date in Oslo (rules.md T2). */
export function osloDate(instant: Instant): LocalDate {
  return fromEpochDay(localDay(instant));
}

/** Oslo's time of day in ms: 05:30 is 19,800,000, also on a day of a clock change. */
export function msOfDay(instant: Instant): number {
  const local = instant + offsetAt(instant);
  return local - Math.floor(local / msPerDay) * msPerDay;
}

/**
 * The instant at which Oslo's clocks show this date and `HH:MM`. A time in the repeated autumn hour means its first
 * pass; a time in the skipped spring hour moves an hour later (02:30 becomes 03:30). Throws unless the time is `HH:MM`.
 */
export function osloInstant(date: LocalDate, time: string): Instant {
  const match = clockTime.exec(time);
  assert(match !== null, `a time HH:MM: ${time}`);
  return fromLocal(date, (Number(match[1]) * 60 + Number(match[2])) * msPerMinute);
}

/** As osloInstant, with the time of day in ms. */
export function fromLocal(date: LocalDate, ms: number): Instant {
  const local = epochDay(date) * msPerDay + ms;
  return (local - offsetOfLocal(local)) as Instant;
}

/** 00:00 in Oslo. */
export function startOfDay(date: LocalDate): Instant {
  return fromLocal(date, 0);
}

function localDay(instant: number): number {
  return Math.floor((instant + offsetAt(instant)) / msPerDay);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

const msPerHour = 3_600_000;
export const msPerDay = 86_400_000;

/**
 * Oslo's offset from UTC in ms; `utc` is ms since 1970. The EU rule, written by hand because rules have no Date: summer
 * time lasts from the last Sunday of March to the last Sunday of October (of September until 1995), both at 01:00 UTC.
 * Correct from 1981 on; earlier summer times are left out.
 */
function offsetAt(utc: number): number {
  const { start, end } = summerTime(yearAt(utc));
  return utc >= start && utc < end ? 2 * msPerHour : msPerHour;
}

/**
 * The offset that turns a local time into UTC; `local` is ms since 1970-01-01 00:00 on Oslo's clocks. In the repeated
 * and the skipped hour it is the offset from before the change, so both changes take effect at 03:00 local time.
 */
function offsetOfLocal(local: number): number {
  const { start, end } = summerTime(yearAt(local));
  return local >= start + 2 * msPerHour && local < end + 2 * msPerHour ? 2 * msPerHour : msPerHour;
}

function summerTime(year: number): { start: number; end: number } {
  const endMonth = year < 1996 ? 9 : 10;
  return { start: changeOn(year, 3), end: changeOn(year, endMonth) };
}

function changeOn(year: number, month: number): number {
  const lastDay = epochDayOf({ year, month, day: daysInMonth(year, month) });
  const lastSunday = lastDay - (weekdayOf(lastDay) % 7);
  return lastSunday * msPerDay + msPerHour;
}

function yearAt(ms: number): number {
  return civilDayOf(Math.floor(ms / msPerDay)).year;
}
