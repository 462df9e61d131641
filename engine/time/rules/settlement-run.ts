import { isBankingDay, nextOrSame, previousOrSame } from './banking-calendar.ts';
import type { BankingCalendar } from './banking-calendar.ts';
import { assert } from '../../values/assert.ts';
import { osloDate, osloInstant } from '../../values/instant.ts';
import type { Instant } from '../../values/instant.ts';
import { addDays, epochDay, fromEpochDay } from '../../values/local-date.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { SettlementTimes } from './settlement-times.ts';

export { defaultSettlementTimes, parseSettlementTimes } from './settlement-times.ts';
export type { SettlementTimes } from './settlement-times.ts';

/** When runs take place: at these times of every banking day (rules.md T4). */
export interface RunSchedule {
  readonly times: SettlementTimes;
  readonly calendar: BankingCalendar;
}

/** One scheduled run; bank date and number identify it. */
export interface SettlementRun {
  readonly date: LocalDate;
  /** 1 for the first run of the day. */
  readonly number: number;
  readonly at: Instant;
}

/** `2027-03-30/1`. */
export function runId(run: Pick<SettlementRun, 'date' | 'number'>): string {
  return `${run.date}/${run.number}`;
}

/** The day's runs in order; none on a closed day. */
export function runsOn(date: LocalDate, schedule: RunSchedule): SettlementRun[] {
  if (!isBankingDay(date, schedule.calendar)) return [];
  return schedule.times.map((time, index) => ({ date, number: index + 1, at: osloInstant(date, time) }));
}

/** The first run strictly after the instant. */
export function firstRunAfter(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  const later = runsOn(today, schedule).find((run) => run.at > at);
  return later ?? firstRunOnOrAfter(addDays(today, 1), schedule);
}

/** The first run of the date, or of the first banking day after it. */
export function firstRunOnOrAfter(date: LocalDate, schedule: RunSchedule): SettlementRun {
  const [first] = runsOn(nextOrSame(date, schedule.calendar), schedule);
  assert(first !== undefined, 'T4: a banking day has at least one settlement time');
  return first;
}

/** The last run at the instant or before it. */
export function lastRunAtOrBefore(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  const earlier = runsOn(today, schedule).findLast((run) => run.at <= at);
  if (earlier !== undefined) return earlier;
  const last = runsOn(previousOrSame(addDays(today, -1), schedule.calendar), schedule).at(-1);
  assert(last !== undefined, 'T4: a banking day has at least one settlement time');
  return last;
}

/** How many runs take place after the first instant, up to and including the second; 0 when they are out of order. */
export function countRuns(after: Instant, through: Instant, schedule: RunSchedule): number {
  if (through <= after) return 0;
  const [first, last] = [osloDate(after), osloDate(through)];
  const passed = (date: LocalDate, at: Instant): number => runsOn(date, schedule).filter((run) => run.at <= at).length;
  // Whole days up to the last one, less what of the first day had passed, and what of the last day has.
  const end = epochDay(last);
  let days = 0;
  for (let day = epochDay(first); day < end; day += 1) {
    if (isBankingDay(fromEpochDay(day), schedule.calendar)) days += 1;
  }
  return days * schedule.times.length - passed(first, after) + passed(last, through);
}
