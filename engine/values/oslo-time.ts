import { civilDayOf, daysInMonth, epochDayOf, weekdayOf } from './civil-day.ts';

export const msPerHour = 3_600_000;
export const msPerDay = 86_400_000;

/**
 * Oslo's offset from UTC, in ms, at a UTC moment in ms since 1970. The EU rule, by hand because this floor is
 * pure: summer time from the last Sunday of March to the last Sunday of October (of September until 1995),
 * both at 01:00 UTC. Right from 1981 on; earlier summer times are left out.
 */
export function offsetAt(utc: number): number {
  const { start, end } = summerTime(yearAt(utc));
  return utc >= start && utc < end ? 2 * msPerHour : msPerHour;
}

/**
 * The offset to read a local time with: `local` is ms since 1970-01-01 00:00 on Oslo's own clocks. Where the clocks
 * change, the offset from before the change holds: in the doubled hour the first passing is meant, and a time in the
 * gap moves forward by the hour that was left out. So both changes take effect at 03:00 on the clock.
 */
export function offsetOfLocal(local: number): number {
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
