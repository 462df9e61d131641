import { type Instant, msOfDay, msPerDay, osloDate } from '../../values/instant.ts';
import { epochDay } from '../../values/local-date.ts';

/**
 * Number of the period of `length` ms that holds `now`, counted from `begin`; the first is 0 (rules.md Q3). Whole days are days of the
 * calendar, as in an advance: they end at the time of day of `begin`, also when the clocks change.
 */
export function idPeriodAt(now: Instant, begin: Instant, length: number): number {
  const passed = length % msPerDay === 0 ? osloTime(now) - osloTime(begin) : now - begin;
  return Math.floor(passed / length);
}

/** Ms of the local date and time, as if each day had 24 hours. */
function osloTime(instant: Instant): number {
  return epochDay(osloDate(instant)) * msPerDay + msOfDay(instant);
}
