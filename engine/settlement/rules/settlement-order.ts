import type { DueExecution } from './settlement.ts';
import {
  allRuns,
  books,
  type SettlementRun,
  firstRunAfter,
  firstRunOnOrAfter,
  type RunSchedule,
  tries,
} from '../../time/rules/settlement-run.ts';
import type { ReceivedOrder } from '../../time/rules/cut-offs.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Instant } from '../../values/instant.ts';

/** The fields that order due executions, in their rank (rules.md S3); `dueExecutions` orders its rows by them too. */
export const settlementOrder = ['executionDate', 'receivedAt', 'nominalDate', 'place', 'id'] as const;

/** The place of an execution in that order. */
export type SettlementPlace = Pick<DueExecution, (typeof settlementOrder)[number]>;

/** Compares two executions by {@link settlementOrder}, for a sort. */
function bySettlementOrder(one: SettlementPlace, other: SettlementPlace): number {
  for (const part of settlementOrder) {
    if (one[part] !== other[part]) return one[part] < other[part] ? -1 : 1;
  }
  return 0;
}

/**
 * In-memory `execution` table for forecasts: open executions by execution date. `orderOf` gives what a payment is for its cut-off; it is
 * asked only where a run does not try all payments (rules.md S4c, T4h).
 */
export function dueDays(
  executions: readonly DueExecution[],
  orderOf: (paymentId: number) => ReceivedOrder | undefined = () => undefined,
) {
  const byDate = new Map<LocalDate, DueExecution[]>();
  const add = (execution: DueExecution): void => {
    const sameDay = byDate.get(execution.executionDate);
    if (sameDay === undefined) byDate.set(execution.executionDate, [execution]);
    else sameDay.push(execution);
  };
  for (const execution of executions) add(execution);
  return {
    add,
    /** The earliest execution date, or null when it is empty. */
    earliest(): LocalDate | null {
      let earliest: LocalDate | null = null;
      for (const date of byDate.keys()) if (earliest === null || date < earliest) earliest = date;
      return earliest;
    },
    /** Removes and returns the executions that are due in a run, in the order of rules.md S3. */
    take(run: Pick<SettlementRun, 'date' | 'at' | 'only' | 'late'>): DueExecution[] {
      const taken: DueExecution[] = [];
      const triesAll = run.only === undefined && books(run);
      const isTried = ({ paymentId }: DueExecution): boolean => {
        const order = orderOf(paymentId);
        return order !== undefined && tries(run, order);
      };
      for (const [date, waiting] of [...byDate].filter(([date]) => date <= run.date)) {
        byDate.delete(date);
        // A run takes only what was authorised at or before its instant (rules.md T4).
        for (const execution of waiting) {
          const isIts = triesAll || isTried(execution);
          if (isIts && execution.receivedAt <= run.at) taken.push(execution);
          else add(execution);
        }
      }
      return taken.sort(bySettlementOrder);
    },
  };
}

/** The work that waits for a run (rules.md T6). */
interface WaitingWork {
  /** Instant of the last scheduled run that has passed, empty ones included. */
  readonly lastRunAt: Instant;
  /** The earliest execution date of an open execution, or null. */
  readonly earliestDue: LocalDate | null;
  /** Entries to book or ended standing orders to close: the next run that books does it. */
  readonly hasFollowUp: boolean;
}

/** The next run with something to do; null: nothing waits. The empty runs before it are skipped (rules.md T6). */
export function nextBusyRun(waiting: WaitingWork, schedule: RunSchedule): SettlementRun | null {
  const { lastRunAt, earliestDue, hasFollowUp } = waiting;
  const booking = hasFollowUp ? firstRunAfter(lastRunAt, schedule) : null;
  if (earliestDue === null) return booking;
  const all = allRuns(schedule);
  const next = firstRunAfter(lastRunAt, all);
  const trying = earliestDue <= next.date ? next : firstRunOnOrAfter(earliestDue, all);
  return booking !== null && booking.at < trying.at ? booking : trying;
}
