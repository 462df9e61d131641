import { osloDate, type Instant } from '../values/instant.ts';
import {
  firstIndexToPay,
  type Occurrence,
  type Schedule,
  occurrencesFrom,
  type OrderPosition,
  notBeforeRun,
  occurrences,
  followingOccurrences,
  type FollowingOccurrences,
} from '../time/rules/occurrences.ts';
import { firstRunIfSigned, type LaneRuns, runId } from '../time/rules/settlement-run.ts';
import type { LocalDate } from '../values/local-date.ts';
import { awaitsSignature, canMove } from '../values/transaction-status.ts';
import type { Reader } from '../ledger/database.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import type { RunUnderWay } from '../settlement/settle-due.ts';
import type { Reading } from '../bank/bank-context.ts';
import {
  standingOrderOf,
  type Payment,
  type StandingOrder,
  saveNextIndexes,
  standingOrdersOf,
  updatePaymentStatuses,
} from './rows/payments.ts';
import { isOpenStatus, type DueExecution } from '../settlement/rules/settlement.ts';
import { executionsOf } from '../settlement/rows/executions.ts';
import { recordAndAnnounce } from './change-status.ts';
import { type FollowingExecutions, scheduleFollowing } from '../settlement/change-executions.ts';
import { inParts } from '../values/lists.ts';
import { assert } from '../values/assert.ts';
import { hasOpenPart } from './rules/payment-status.ts';
import { progressOf } from './rows/payment-executions.ts';

/** The schedule in the row of a standing order. */
export function scheduleOfOrder(order: StandingOrder): Schedule {
  return {
    startDate: order.start_date,
    endDate: order.end_date,
    frequency: order.frequency,
    executionRule: order.execution_rule,
    dayOfExecution: order.day_of_execution,
    monthsOfExecution: order.months_of_execution?.split(',').map(Number) ?? null,
  };
}

/** The schedule of a standing order and its first occurrence without an execution. */
function positionOfOrder(order: StandingOrder): OrderPosition {
  return { paymentId: order.payment_id, schedule: scheduleOfOrder(order), nextIndex: order.next_index };
}

/** The part of a standing order without executions; `firstIndex` is null at its end. */
interface UnscheduledPart {
  readonly schedule: Schedule;
  readonly firstIndex: number | null;
  /** Its first occurrences. */
  readonly ahead: readonly Occurrence[];
}

/**
 * The first `count` occurrences without an execution. An unsigned order counts as signed now: it omits those that have passed (rules.md P13),
 * and moves others up to the next run as {@link notBeforeRun} does (R6, S6b).
 */
export async function unscheduledPart(reading: Reading, payment: Payment, count: number): Promise<UnscheduledPart> {
  const { bank, reader, now } = reading;
  const order = await standingOrderOf(reader, payment.id);
  const schedule = scheduleOfOrder(order);
  const { calendar } = bank.runs;
  const runs = awaitsSignature(payment.status) ? await runsOfPayment(reading, payment.id) : null;
  const notBefore = runs === null ? null : firstRunIfSigned(now, runs).date;
  const firstIndex = runs === null ? order.next_index : firstIndexToPay(schedule, osloDate(now), calendar);
  const ahead: Occurrence[] = [];
  for (const planned of firstIndex === null ? [] : occurrences(schedule, calendar, firstIndex)) {
    ahead.push(notBeforeRun(notBefore, planned, runs?.datesByRun));
    if (ahead.length === count) break;
  }
  return { schedule, firstIndex, ahead };
}

/**
 * The occurrences of the first execution date of an unsigned standing order if it is signed now (rules.md P13, R6); none if every date has
 * passed. `runs`: those of its debtor account.
 */
export function occurrencesIfSigned(runs: LaneRuns, order: StandingOrder, now: Instant) {
  const schedule = scheduleOfOrder(order);
  const index = firstIndexToPay(schedule, osloDate(now), runs.calendar);
  const { date: notBefore } = firstRunIfSigned(now, runs);
  return occurrencesFrom(schedule, index, runs.calendar, { notBefore, isOfAll: runs.datesByRun });
}

/** The first of {@link occurrencesIfSigned}. Returns undefined if there is none. */
export function firstIfSigned(runs: LaneRuns, order: StandingOrder, now: Instant): Occurrence | undefined {
  return occurrencesIfSigned(runs, order, now).occurrences[0];
}

/** Maximum number of dates that are listed. */
const maxDates = 5;

interface UpcomingDate {
  readonly nominalDate: LocalDate;
  readonly executionDate: LocalDate;
}

export interface UpcomingDates {
  /** In order of time, five at most. */
  readonly first: readonly UpcomingDate[];
  /** Whether more dates follow. */
  readonly goOn: boolean;
}

/**
 * The schedule of a periodic payment and its next dates: those that no run has settled. An unsigned payment counts as signed now (rules.md R6, P13).
 */
export async function upcomingDates(
  reading: Reading,
  payment: Payment,
): Promise<{ readonly schedule: Schedule; readonly dates: UpcomingDates }> {
  // One more than is listed tells whether more follow.
  const { schedule, ahead } = await unscheduledPart(reading, payment, maxDates + 1);
  const dates = [...(await openDates(reading.reader, payment)), ...ahead];
  return { schedule, dates: { first: dates.slice(0, maxDates), goOn: dates.length > maxDates } };
}

async function openDates(reader: Reader, payment: Payment): Promise<UpcomingDate[]> {
  const open = (await executionsOf(reader, payment.id)).filter(({ status }) => isOpenStatus(status));
  return open.map((execution) => ({ nominalDate: execution.nominal_date, executionDate: execution.execution_date }));
}

/** The standing orders that a run tried, by payment. */
export interface OrdersTried {
  /** Those with an occurrence tried for the first time, and that occurrence. */
  readonly begun: ReadonlyMap<number, Pick<DueExecution, 'id' | 'nominalDate'>>;
  /** Those with an occurrence that became final. */
  readonly ended: ReadonlySet<number>;
}

/** The result of {@link scheduleNextAndClose}. */
interface OrdersFollowed {
  /** Occurrences scheduled. */
  readonly registered: number;
  /** Orders that ended in ACSC with every occurrence settled, which the next run removes from the payment API. */
  readonly closed: number;
}

/**
 * Schedules the next execution date of the standing orders whose last scheduled one was tried, and closes the orders without further
 * dates (rules.md R8, R9, R9b).
 */
export async function scheduleNextAndClose(
  underWay: RunUnderWay,
  { begun, ended }: OrdersTried,
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
      const following = tried === undefined ? null : followingOccurrences(order, bank.runs.calendar);
      if (tried !== undefined && following !== null) {
        next.push(following);
        executions.push({ after: tried.id, occurrences: following.occurrences });
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
 * Ends the standing orders among these whose last occurrence became final: ACSC when at least one settled, else RJCT (rules.md R9,
 * R9b). An order with a rejected occurrence stays readable (R9c). Returns how many leave the payment API.
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
