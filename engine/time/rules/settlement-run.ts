import { type BankingCalendar, isBankingDay, nextOrSame, previousOrSame } from './banking-calendar.ts';
import { assert } from '../../values/assert.ts';
import { type Instant, osloDate, osloInstant } from '../../values/instant.ts';
import { addDays, epochDay, fromEpochDay, type LocalDate } from '../../values/local-date.ts';

/** Runs take place at these times of every banking day (rules.md T4). */
export interface RunSchedule {
  readonly times: SettlementTimes;
  readonly calendar: BankingCalendar;
}

/** A scheduled run, identified by bank date and number. */
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

/** Runs of a day in order; none on a closed day. */
export function runsOn(date: LocalDate, schedule: RunSchedule): SettlementRun[] {
  if (!isBankingDay(date, schedule.calendar)) return [];
  return schedule.times.map((time, index) => runAt(date, time, index));
}

function runAt(date: LocalDate, time: string, index: number): SettlementRun {
  return { date, number: index + 1, at: osloInstant(date, time) };
}

/** The first run strictly after the instant. */
export function firstRunAfter(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  if (isBankingDay(today, schedule.calendar)) {
    for (const [index, time] of schedule.times.entries()) {
      const run = runAt(today, time, index);
      if (run.at > at) return run;
    }
  }
  return firstRunOnOrAfter(addDays(today, 1), schedule);
}

/** The first run of the date, or on a closed day of the next banking day. */
export function firstRunOnOrAfter(date: LocalDate, schedule: RunSchedule): SettlementRun {
  const [first] = schedule.times;
  assert(first !== undefined, 'T4: a banking day has at least one settlement time');
  return runAt(nextOrSame(date, schedule.calendar), first, 0);
}

/** The last run at or before the instant. */
export function lastRunAtOrBefore(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  const earlier = runsOn(today, schedule).findLast((run) => run.at <= at);
  if (earlier !== undefined) return earlier;
  const last = runsOn(previousOrSame(addDays(today, -1), schedule.calendar), schedule).at(-1);
  assert(last !== undefined, 'T4: a banking day has at least one settlement time');
  return last;
}

/** Number of runs after the first instant, up to and including the second; 0 when the second is earlier. */
export function countRuns(after: Instant, through: Instant, schedule: RunSchedule): number {
  if (through <= after) return 0;
  const [first, last] = [osloDate(after), osloDate(through)];
  const passed = (date: LocalDate, at: Instant): number => runsOn(date, schedule).filter((run) => run.at <= at).length;
  // All runs of the days before the last one, minus those passed on the first day, plus those passed on the last day.
  const end = epochDay(last);
  let days = 0;
  for (let day = epochDay(first); day < end; day += 1) {
    if (isBankingDay(fromEpochDay(day), schedule.calendar)) days += 1;
  }
  return days * schedule.times.length - passed(first, after) + passed(last, through);
}

/** Times of a banking day's runs in Oslo, `HH:MM`, ascending (rules.md T4). */
export type SettlementTimes = readonly string[];

/** The clearing times of NICS. */
export const defaultSettlementTimes: SettlementTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

type ParsedSettlementTimes =
  { readonly ok: true; readonly times: SettlementTimes } | { readonly ok: false; readonly problem: string };

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * Parses a comma-separated list; blanks around the times are allowed. `problem` is an error text for the user. Times from
 * 02:00 to 02:59 are refused: clock changes repeat or skip them.
 */
export function parseSettlementTimes(text: string): ParsedSettlementTimes {
  const times = text.split(',').map((time) => time.trim());
  const problem = problemOf(times);
  return problem === null ? { ok: true, times } : { ok: false, problem };
}

function problemOf(times: SettlementTimes): string | null {
  if (times.length === 1 && times[0] === '') return 'settlement times are empty; expected HH:MM,HH:MM,...';
  for (const [index, time] of times.entries()) {
    const previous = times[index - 1];
    if (!clockTime.test(time)) return `settlement time "${time}" is not HH:MM from 00:00 to 23:59`;
    if (time >= '02:00' && time < '03:00') return `settlement time ${time} is inside 02:00-03:00, when clocks change`;
    if (time === previous) return `settlement time ${time} is given twice`;
    if (previous !== undefined && time < previous) return `settlement time ${time} follows ${previous}; sort them`;
  }
  return null;
}

/** The n-th scheduled run after an instant, empty runs included (rules.md T6); null when it is later than `latest`. */
export function nthRunAfter(after: Instant, n: number, schedule: RunSchedule, latest: Instant): SettlementRun | null {
  const lastDay = osloDate(latest);
  let remaining = n;
  for (let day = osloDate(after); day <= lastDay; day = addDays(day, 1)) {
    const runs = runsOn(day, schedule).filter(({ at }) => at > after);
    const found = runs[remaining - 1];
    if (found !== undefined) return found.at <= latest ? found : null;
    remaining -= runs.length;
  }
  return null;
}

/** What decides which run tries an execution. */
interface Untried {
  readonly executionDate: LocalDate;
  readonly authorisedAt: Instant;
  /** The last scheduled run that has passed. */
  readonly lastRunAt: Instant;
}

/** The next run that takes an execution (rules.md T4): of its date or later, after the last one, and not before it was authorised. */
export function runThatTakes(
  { executionDate, authorisedAt, lastRunAt }: Untried,
  schedule: RunSchedule,
): SettlementRun {
  const next = firstRunAfter(Math.max(authorisedAt - 1, lastRunAt) as Instant, schedule);
  return next.date >= executionDate ? next : firstRunOnOrAfter(executionDate, schedule);
}

/**
 * The run that carries out what was authorised after the last run of its execution date (rules.md P3b); null when a run of
 * that date does. A run takes what was authorised at its instant too (T4).
 */
export function lateRun(untried: Untried, schedule: RunSchedule): SettlementRun | null {
  const run = runThatTakes(untried, schedule);
  return run.date === untried.executionDate ? null : run;
}

/** The time of day of a run: `05:30`. */
export function timeOfRun({ number }: SettlementRun, { times }: RunSchedule): string {
  return times[number - 1] ?? '';
}
