import { assert } from '../../values/assert.ts';
import { nextBusyRun, dueDays } from '../../settlement/rules/settlement-order.ts';
import type { ReceivedOrder } from '../../time/rules/cut-offs.ts';
import { inParts } from '../../values/lists.ts';
import type { Instant } from '../../values/instant.ts';
import {
  isFirstAttempt,
  planSettlement,
  type DueExecution,
  type SettlementDecision,
} from '../../settlement/rules/settlement.ts';
import type { RunSchedule, SettlementRun } from '../../time/rules/settlement-run.ts';
import { followingOccurrences, type OrderPosition } from '../../time/rules/occurrences.ts';

/** What waits for the runs, read from the ledger in one transaction. */
export interface WaitingExecutions {
  /** Instant of the last scheduled run that has passed (rules.md T6). */
  readonly lastRunAt: Instant;
  /** With current balances. */
  readonly executions: readonly DueExecution[];
  /** The standing orders of the occurrences among them. */
  readonly orders: readonly OrderPosition[];
  /** The provoked rejections of these orders' occurrences, by index (rules.md P14b). */
  readonly rejections: ReadonlyMap<number, ReadonlyMap<number, string>>;
  /** What the payments are for their cut-offs, where some runs try some payments only (rules.md S4c, T4h); else empty. */
  readonly received: ReadonlyMap<number, ReceivedOrder>;
}

/** A run with attempts and its decisions. A large run comes in several parts, one after the other. */
export interface ForecastRun {
  readonly run: SettlementRun;
  readonly decisions: readonly SettlementDecision[];
}

/**
 * Yields the runs up to an instant, in order, decided by the rules of the real ones: the same next run (rules.md T6), the
 * same plan of funds over the balances that earlier runs moved (S3, S4), the same next occurrences (R9). Writes nothing.
 * Lazy: a run is computed when it is asked for.
 */
export function* forecastRuns(
  { lastRunAt, executions, orders, rejections, received }: WaitingExecutions,
  through: Instant,
  schedule: RunSchedule,
): Generator<ForecastRun, void> {
  const waiting = dueDays(executions, (paymentId) => received.get(paymentId));
  const occurrencesAfter = nextOccurrences({ executions, orders, rejections }, schedule);
  const moved = new Map<number, bigint>();
  let passed = lastRunAt;
  for (;;) {
    const work = { lastRunAt: passed, earliestDue: waiting.earliest(), hasFollowUp: false };
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
    for (const occurrence of occurrencesAfter(decisions)) waiting.add(occurrence);
  }
}

/** Returns a function that schedules the occurrences after those tried for the first time (rules.md R9). */
function nextOccurrences(
  { executions, orders, rejections }: Pick<WaitingExecutions, 'executions' | 'orders' | 'rejections'>,
  { calendar }: RunSchedule,
): (decisions: readonly SettlementDecision[]) => DueExecution[] {
  const positions = new Map(orders.map((order) => [order.paymentId, order]));
  // Scheduled occurrences get keys after all existing ones, as they will in the ledger.
  let lastId = executions.reduce((last, { id }) => Math.max(last, id), 0);
  const scheduleFor = ([paymentId, begun]: readonly [number, DueExecution]): DueExecution[] => {
    const order = positions.get(paymentId);
    assert(order !== undefined, 'an occurrence belongs to a standing order');
    const following = followingOccurrences(order, calendar);
    if (following === null) return [];
    positions.set(paymentId, { ...order, nextIndex: following.nextIndex });
    return following.occurrences.map(({ index, nominalDate, executionDate }) => {
      const rejection = rejections.get(paymentId)?.get(index) ?? null;
      return { ...begun, id: (lastId += 1), nominalDate, executionDate, rejection };
    });
  };
  return (decisions) => [...begunOrders(decisions)].flatMap(scheduleFor);
}

/** The orders with an occurrence tried for the first time, by key. */
function begunOrders(decisions: readonly SettlementDecision[]): ReadonlyMap<number, DueExecution> {
  const begun = new Map<number, DueExecution>();
  for (const { execution } of decisions) {
    if (execution.isOccurrence && isFirstAttempt(execution)) begun.set(execution.paymentId, execution);
  }
  return begun;
}
