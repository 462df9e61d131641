import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import {
  firstRunAfter,
  firstRunOnOrAfter,
  type RunSchedule,
  type SettlementRun,
} from '../../time/rules/settlement-run.ts';

/** What waits for a run (rules.md T6). */
export interface WaitingWork {
  /** The last scheduled run passed. */
  readonly lastRunAt: Instant;
  /** The earliest execution date of an open execution, or null. */
  readonly earliestDue: LocalDate | null;
  /** Posted entries to book, or agreements to close: the very next run does it. */
  readonly hasAftermath: boolean;
}

/** The next run with something to do, or null: the runs before it are jumped over (rules.md T6). */
export function nextBusyRun(waiting: WaitingWork, schedule: RunSchedule): SettlementRun | null {
  const next = firstRunAfter(waiting.lastRunAt, schedule);
  if (waiting.hasAftermath) return next;
  if (waiting.earliestDue === null) return null;
  return waiting.earliestDue <= next.date ? next : firstRunOnOrAfter(waiting.earliestDue, schedule);
}
