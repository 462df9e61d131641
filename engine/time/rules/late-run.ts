import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { firstRunAfter, firstRunOnOrAfter, type RunSchedule, type SettlementRun } from './settlement-run.ts';

/** What an execution that is to be tried waits for. */
export interface Untried {
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

/** `2027-03-30/1`'s time of day, `05:30`. */
export function timeOfRun({ number }: SettlementRun, { times }: RunSchedule): string {
  return times[number - 1] ?? '';
}
