import type { DueExecution } from './settlement.ts';
import {
  type SettlementRun,
  firstRunAfter,
  firstRunOnOrAfter,
  type RunSchedule,
} from '../../time/rules/settlement-run.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Instant } from '../../values/instant.ts';

/** The fields that order due executions, in their rank (rules.md T9); `dueExecutions` orders its rows by them too. */
export const settlementOrder = ['executionDate', 'receivedAt', 'nominalDate', 'place', 'id'] as const;

/** The place of an execution in that order. */
export type SettlementPlace = Pick<DueExecution, (typeof settlementOrder)[number]>;

/** The work that waits for a run (rules.md T6). */
interface WaitingWork {
  /** Instant of the last scheduled run that has passed, empty ones included. */
  readonly lastRunAt: Instant;
  /** The earliest execution date of an open execution, or null. */
  readonly earliestDue: LocalDate | null;
  /** Entries to book or ended standing orders to close: the next run that books does it. */
  readonly hasFollowUp: boolean;
}

/** The next run with something to do, or null if nothing waits. It skips empty runs (rules.md T6). */
export function nextBusyRun(waiting: WaitingWork, schedule: RunSchedule): SettlementRun | null {
  const { lastRunAt, earliestDue, hasFollowUp } = waiting;
  const booking = hasFollowUp ? firstRunAfter(lastRunAt, schedule) : null;
  if (earliestDue === null) return booking;
  const next = firstRunAfter(lastRunAt, schedule.all);
  const trying = earliestDue <= next.date ? next : firstRunOnOrAfter(earliestDue, schedule.all);
  return booking !== null && booking.at < trying.at ? booking : trying;
}
