import { assert } from '../../values/assert.ts';
import { nextBusyRun } from '../../settlement/rules/busy-run.ts';
import { dueDays } from '../../settlement/rules/due-days.ts';
import { inParts } from '../../values/in-parts.ts';
import type { Instant } from '../../values/instant.ts';
import {
  isFirstAttempt,
  planSettlement,
  type DueExecution,
  type SettlementDecision,
} from '../../settlement/rules/settlement.ts';
import type { RunSchedule, SettlementRun } from '../../time/rules/settlement-run.ts';
import { followingOccurrences, type OrderPosition } from '../../time/rules/standing-order.ts';

/** What waits for the runs, read from the ledger in one view. */
export interface WaitingExecutions {
  /** The last scheduled run passed (rules.md T6). */
  readonly lastRunAt: Instant;
  /** With the balances as they are now. */
  readonly executions: readonly DueExecution[];
  /** The standing orders that those of them belong to which are occurrences. */
  readonly orders: readonly OrderPosition[];
}

/** One run that will try something, with what it will decide: a large one in parts, one after the other. */
export interface ForecastRun {
  readonly run: SettlementRun;
  readonly decisions: readonly SettlementDecision[];
}

/**
 * The runs to come up to an instant, in order, each decided by the rules that decide the real ones: the same next run
 * (rules.md T6), the same plan of funds over balances that earlier runs moved (S3, S4), the same next occurrences (R9).
 * Nothing is written. Stop reading, and no further run is thought of.
 */
export function* forecastRuns(
  { lastRunAt, executions, orders }: WaitingExecutions,
  through: Instant,
  schedule: RunSchedule,
): Generator<ForecastRun, void> {
  const waiting = dueDays(executions);
  const laying = layingOf(executions, orders, schedule);
  const moved = new Map<number, bigint>();
  let passed = lastRunAt;
  for (;;) {
    const work = { lastRunAt: passed, earliestDue: waiting.earliest(), hasAftermath: false };
    const run = nextBusyRun(work, schedule);
    if (run === null || run.at > through) return;
    passed = run.at;
    const decisions: SettlementDecision[] = [];
    for (const due of inParts(waiting.take(run))) {
      const part = planSettlement(due, { moved });
      for (const [account, balance] of part.balances) moved.set(account, balance);
      decisions.push(...part.decisions);
      yield { run, decisions: part.decisions };
    }
    for (const { execution, outcome, attempt } of decisions) {
      if (outcome === 'retry') waiting.add({ ...execution, attempts: attempt });
    }
    for (const occurrence of laying.after(decisions)) waiting.add(occurrence);
  }
}

interface Laying {
  /** The occurrences that follow those which were tried for the first time (rules.md R9). */
  after(decisions: readonly SettlementDecision[]): DueExecution[];
}

function layingOf(
  executions: readonly DueExecution[],
  orders: readonly OrderPosition[],
  { calendar }: RunSchedule,
): Laying {
  const positions = new Map(orders.map((order) => [order.paymentId, order]));
  // What is laid on the way has keys after all that are there, as it will have in the ledger.
  let lastId = executions.reduce((last, { id }) => Math.max(last, id), 0);
  const scheduleFor = ([paymentId, begun]: readonly [number, DueExecution]): DueExecution[] => {
    const order = positions.get(paymentId);
    assert(order !== undefined, 'an occurrence belongs to a standing order');
    return followingOccurrences(order, calendar).flatMap(({ occurrences, nextIndex }) => {
      positions.set(paymentId, { ...order, nextIndex });
      return occurrences.map(({ nominalDate, executionDate }) => {
        return { ...begun, id: (lastId += 1), nominalDate, executionDate };
      });
    });
  };
  return { after: (decisions) => begunOrders(decisions).flatMap(scheduleFor) };
}

/** The orders of which occurrences were tried for the first time, in the order in which a run goes on with them. */
function begunOrders(decisions: readonly SettlementDecision[]): readonly (readonly [number, DueExecution])[] {
  const begun = new Map<number, DueExecution>();
  for (const { execution } of decisions) {
    if (execution.isOccurrence && isFirstAttempt(execution)) begun.set(execution.paymentId, execution);
  }
  return [...begun].sort(([one], [other]) => one - other);
}
