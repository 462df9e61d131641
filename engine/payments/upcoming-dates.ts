import { osloDate, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { firstIndexToPay } from '../time/rules/occurrences.ts';
import { isOpenStatus } from '../settlement/rules/settlement.ts';
import { firstRunAfter } from '../time/rules/settlement-run.ts';
import { occurrencesFrom } from '../time/rules/standing-order.ts';
import type { Reader } from '../ledger/database.ts';
import { executionsOf } from '../settlement/rows/executions.ts';
import type { Payment, StandingOrder } from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { scheduleOfOrder } from './schedule-of-order.ts';

/** How many dates are listed at most. */
const mostDates = 5;

export interface UpcomingDate {
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
 * The next dates of a periodic payment: of an unsigned one as if it were signed now (rules.md R6, P13), of a signed one
 * those that no run has settled.
 */
export async function upcomingDates(
  bank: BankContext,
  reader: Reader,
  { payment, order }: { readonly payment: Payment; readonly order: StandingOrder },
  now: Instant,
): Promise<UpcomingDates> {
  const dates: UpcomingDate[] = await openDates(reader, payment);
  const schedule = scheduleOfOrder(order);
  const isSigned = payment.authorised_at !== null;
  const earliest = isSigned ? null : firstRunAfter(now, bank.runs).date;
  let index = isSigned ? order.next_index : firstIndexToPay(schedule, osloDate(now), bank.runs.calendar);
  // One more than is listed tells whether more follow.
  while (index !== null && dates.length <= mostDates) {
    const batch = occurrencesFrom(schedule, index, bank.runs.calendar, earliest);
    dates.push(...batch.occurrences);
    index = batch.nextIndex;
  }
  return { first: dates.slice(0, mostDates), goOn: dates.length > mostDates };
}

async function openDates(reader: Reader, payment: Payment): Promise<UpcomingDate[]> {
  const open = (await executionsOf(reader, payment.id)).filter(({ status }) => isOpenStatus(status));
  return open.map((execution) => ({ nominalDate: execution.nominal_date, executionDate: execution.execution_date }));
}
