import { addDays, dateInMonth, dayOf, monthNumber } from './local-date.ts';
import { fromLocal, type Instant, msOfDay, osloDate } from './instant.ts';

/** Whole numbers from 0. Months and days are calendar units in Oslo, seconds are exact (rules.md T7). */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

const durationPattern =
  /^P(?=[\dT])(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const maxDurationDays = 36_600;

/**
 * Parses `P[nY][nM][nW][nD][T[nH][nM][nS]]` with whole numbers and at least one part. Null for anything else:
 * fractions, signs, lower case, a bare `T`, and durations longer than about a hundred years.
 */
export function parseDuration(text: string): Duration | null {
  const match = durationPattern.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? '0');
  const months = part(1) * 12 + part(2);
  const days = part(3) * 7 + part(4);
  const seconds = part(5) * 3600 + part(6) * 60 + part(7);
  if (months * 30.5 + days + seconds / 86_400 > maxDurationDays) return null;
  return { months, days, seconds };
}

/**
 * Adds months first (31 January plus a month is the last of February), then days, both at the same Oslo time of day,
 * then seconds exactly. So `P1D` over a clock change lasts 23 or 25 hours; `PT24H` always lasts 24 (rules.md T7).
 */
export function addDuration(instant: Instant, duration: Duration): Instant {
  return (addCalendar(instant, duration) + duration.seconds * 1000) as Instant;
}

function addCalendar(instant: Instant, { months, days }: Duration): Instant {
  // Converting to local time and back would turn the second pass of the repeated autumn hour into the first.
  if (months === 0 && days === 0) return instant;
  const date = osloDate(instant);
  const moved = months === 0 ? date : dateInMonth(monthNumber(date) + months, dayOf(date));
  return fromLocal(addDays(moved, days), msOfDay(instant));
}
