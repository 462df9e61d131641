import { osloDate, type Instant } from '../values/instant.ts';
import {
  firstIndexToPay,
  type Occurrence,
  type Schedule,
  occurrencesFrom,
  type OrderPosition,
} from '../time/rules/occurrences.ts';
import { firstRunIfSigned, type RunSchedule } from '../time/rules/settlement-run.ts';
import type { LocalDate } from '../values/local-date.ts';
import { awaitsSignature } from '../settlement/rules/transaction-status.ts';
import type { Reader } from '../ledger/database.ts';
import { runsOfAccount } from '../accounts/customer-accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { standingOrderOf, type Payment, type StandingOrder } from './rows/payments.ts';
import { isOpenStatus } from '../settlement/rules/settlement.ts';
import { executionsOf } from '../settlement/rows/executions.ts';

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
export function positionOfOrder(order: StandingOrder): OrderPosition {
  return { paymentId: order.payment_id, schedule: scheduleOfOrder(order), nextIndex: order.next_index };
}

/** The part of a standing order without executions; `firstIndex` is null at its end. */
interface UnscheduledPart {
  readonly schedule: Schedule;
  readonly firstIndex: number | null;
  /**
   *  For an unsigned order, the date of the next run: no `preceding` occurrence is executed earlier (rules.md R6). Null for a signed
   * order.
   */
  readonly notBefore: LocalDate | null;
}

/** The occurrences without an execution. An unsigned order omits those that have passed (rules.md P13). */
export async function unscheduledPart(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  now: Instant,
): Promise<UnscheduledPart> {
  const order = await standingOrderOf(reader, payment.id);
  const schedule = scheduleOfOrder(order);
  if (!awaitsSignature(payment.status)) return { schedule, firstIndex: order.next_index, notBefore: null };
  const runs = await runsOfAccount(bank, reader, payment.debtor_account_id);
  const firstIndex = firstIndexToPay(schedule, osloDate(now), runs.calendar);
  return { schedule, firstIndex, notBefore: firstRunIfSigned(now, runs).date };
}

/**
 * The occurrences of the first execution date of an unsigned standing order if it is signed now (rules.md P13, R6); none if every date has
 * passed. `runs`: those of its debtor account.
 */
export function occurrencesIfSigned(runs: RunSchedule, order: StandingOrder, now: Instant) {
  const schedule = scheduleOfOrder(order);
  const index = firstIndexToPay(schedule, osloDate(now), runs.calendar);
  return occurrencesFrom(schedule, index, runs.calendar, firstRunIfSigned(now, runs).date);
}

/** The first of {@link occurrencesIfSigned}, or null. */
export function firstIfSigned(runs: RunSchedule, order: StandingOrder, now: Instant): Occurrence | null {
  return occurrencesIfSigned(runs, order, now).occurrences[0] ?? null;
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
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  now: Instant,
): Promise<{ readonly schedule: Schedule; readonly dates: UpcomingDates }> {
  const dates: UpcomingDate[] = await openDates(reader, payment);
  const { schedule, firstIndex, notBefore } = await unscheduledPart(bank, reader, payment, now);
  let index = firstIndex;
  // One more than is listed tells whether more follow.
  while (index !== null && dates.length <= maxDates) {
    const batch = occurrencesFrom(schedule, index, bank.runs.calendar, notBefore);
    dates.push(...batch.occurrences);
    index = batch.nextIndex;
  }
  return { schedule, dates: { first: dates.slice(0, maxDates), goOn: dates.length > maxDates } };
}

async function openDates(reader: Reader, payment: Payment): Promise<UpcomingDate[]> {
  const open = (await executionsOf(reader, payment.id)).filter(({ status }) => isOpenStatus(status));
  return open.map((execution) => ({ nominalDate: execution.nominal_date, executionDate: execution.execution_date }));
}
