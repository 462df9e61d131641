import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { firstRunAfter, firstRunOnOrAfter, type RunSchedule, type SettlementRun } from './settlement-run.ts';

/** What an execution that no run has tried waits for. */
export interface Untried {
  readonly executionDate: LocalDate;
  readonly authorisedAt: Instant;
  /** The last scheduled run that has passed. */
  readonly lastRunAt: Instant;
}

/**
 * The run that carries out what was authorised after the last run of its execution date (rules.md P3b); null when a run of
 * that date does. A run takes what was authorised at its instant too (T4).
 */
export function lateRun(
  { executionDate, authorisedAt, lastRunAt }: Untried,
  schedule: RunSchedule,
): SettlementRun | null {
  const next = firstRunAfter(Math.max(authorisedAt - 1, lastRunAt) as Instant, schedule);
  const run = next.date >= executionDate ? next : firstRunOnOrAfter(executionDate, schedule);
  return run.date === executionDate ? null : run;
}

/** `2027-03-30/1`'s time of day, `05:30`. */
export function timeOfRun({ number }: SettlementRun, { times }: RunSchedule): string {
  return times[number - 1] ?? '';
}
