import { type OrderPosition, followingOccurrences, type FollowingOccurrences } from '../time/rules/occurrences.ts';
import { runId } from '../time/rules/settlement-run.ts';
import { canMove } from '../values/transaction-status.ts';
import type { RunUnderWay } from '../settlement/run-steps.ts';
import { scheduleOfOrder } from './rows/orders.ts';
import { type StandingOrder, saveNextIndexes, standingOrdersOf, updatePaymentStatuses } from './rows/payments.ts';
import { recordAndAnnounce } from './change-status.ts';
import { type FollowingExecutions, scheduleFollowing } from '../settlement/change-executions.ts';
import { inParts } from '../values/lists.ts';
import { assert } from '../values/assert.ts';
import { hasOpenPart } from './rules/payment-status.ts';
import { progressOf } from './rows/payment-executions.ts';

/** The schedule of a standing order and its first occurrence without an execution. */
function positionOfOrder(order: StandingOrder): OrderPosition {
  return { paymentId: order.payment_id, schedule: scheduleOfOrder(order), nextIndex: order.next_index };
}

/** The result of {@link scheduleNextAndClose}. */
interface OrdersFollowed {
  /** Occurrences scheduled. */
  readonly registered: number;
  /** Orders that ended in ACSC with every occurrence settled, which the next run removes from the payment API. */
  readonly closed: number;
}

/** What a run did with occurrences, by the keys of their orders. */
export interface TriedOccurrences {
  /** The key of the last execution of an order that the run tried for the first time. */
  readonly begun: ReadonlyMap<number, number>;
  /** The orders with one that settled or was rejected. */
  readonly ended: ReadonlySet<number>;
}

/**
 * Schedules the next execution date of the standing orders whose last scheduled one was tried for the first time, and
 * closes the orders without further dates (rules.md R8, R9, R9b).
 */
export async function scheduleNextAndClose(
  underWay: RunUnderWay,
  { begun, ended }: TriedOccurrences,
): Promise<OrdersFollowed> {
  const { bank, tx } = underWay;
  let registered = 0;
  const exhausted: number[] = [];
  for (const some of inParts([...new Set([...begun.keys(), ...ended])])) {
    const next: FollowingOccurrences[] = [];
    const executions: FollowingExecutions[] = [];
    for (const order of (await standingOrdersOf(tx, some)).map(positionOfOrder)) {
      const { paymentId } = order;
      const tried = begun.get(paymentId);
      const following = tried === undefined ? null : followingOccurrences(order, bank.schedule.calendar);
      if (tried !== undefined && following !== null) {
        next.push(following);
        executions.push({ after: tried, occurrences: following.occurrences });
      }
      const { nextIndex } = following ?? order;
      if (nextIndex === null && ended.has(paymentId)) exhausted.push(paymentId);
    }
    registered += await scheduleFollowing(tx, executions);
    await saveNextIndexes(tx, next);
  }
  return { registered, closed: await closeExhausted(underWay, exhausted) };
}

/**
 * Ends the standing orders among these whose last occurrence became final: ACSC when at least one settled, else RJCT
 * (rules.md R9, R9b). An order with a rejected occurrence stays readable (R9c). Returns how many leave the payment API.
 */
async function closeExhausted(underWay: RunUnderWay, exhausted: readonly number[]): Promise<number> {
  const { tx, run, next } = underWay;
  if (exhausted.length === 0) return 0;
  const over = (await progressOf(tx, exhausted)).filter(({ parts }) => !hasOpenPart(parts));
  const cause = `run ${runId(run)}, last occurrence final`;
  const changes = over.map(({ paymentId, parts, status: before }) => {
    const status = parts.has('ACSC') ? 'ACSC' : 'RJCT';
    assert(canMove(before, status), `a standing order moves from ${before} to ${status}`);
    return { paymentId, status, cause: status === 'ACSC' ? cause : `${cause}, none settled` } as const;
  });
  const rejected = new Set(over.filter(({ parts }) => parts.has('RJCT')).map(({ paymentId }) => paymentId));
  const leaving = changes.filter(({ paymentId }) => !rejected.has(paymentId));
  const staying = changes.filter(({ paymentId }) => rejected.has(paymentId));
  await updatePaymentStatuses(tx, leaving, next.at);
  await updatePaymentStatuses(tx, staying, null);
  await recordAndAnnounce(underWay, changes);
  return leaving.length;
}
