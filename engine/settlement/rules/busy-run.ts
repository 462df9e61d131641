import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import {
  firstRunAfter,
  firstRunOnOrAfter,
  type RunSchedule,
  type SettlementRun,
} from '../../time/rules/settlement-run.ts';

/** The work that waits for a run (rules.md T6). */
interface WaitingWork {
  /** Instant of the last scheduled run that has passed, empty ones included. */
  readonly lastRunAt: Instant;
  /** The earliest execution date of an open execution, or null. */
  readonly earliestDue: LocalDate | null;
  /** Entries to book or ended standing orders to close: the very next run does it. */
  readonly hasAftermath: boolean;
}

/** The next run with something to do; null: nothing waits. The empty runs before it are skipped (rules.md T6). */
export function nextBusyRun(waiting: WaitingWork, schedule: RunSchedule): SettlementRun | null {
  const next = firstRunAfter(waiting.lastRunAt, schedule);
  if (waiting.hasAftermath) return next;
  if (waiting.earliestDue === null) return null;
  return waiting.earliestDue <= next.date ? next : firstRunOnOrAfter(waiting.earliestDue, schedule);
}
