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

/** How many dates a person is shown. */
const mostDates = 5;

export interface UpcomingDate {
  readonly nominalDate: LocalDate;
  readonly executionDate: LocalDate;
}

export interface UpcomingDates {
  /** In order, five at most. */
  readonly first: readonly UpcomingDate[];
  /** Whether there are more after them. */
  readonly goOn: boolean;
}

/**
 * The first dates on which a periodic payment is still to be paid. Not signed yet: as if it were signed now (rules.md
 * R6, P13). Signed: what no run has settled.
 */
export async function upcomingDates(
  bank: BankContext,
  reader: Reader,
  { payment, order }: { readonly payment: Payment; readonly order: StandingOrder },
  now: Instant,
): Promise<UpcomingDates> {
  const dates: UpcomingDate[] = await laidDates(reader, payment);
  const schedule = scheduleOfOrder(order);
  const isSigned = payment.authorised_at !== null;
  const earliest = isSigned ? null : firstRunAfter(now, bank.runs).date;
  let index = isSigned ? order.next_index : firstIndexToPay(schedule, osloDate(now), bank.runs.calendar);
  // One more than is shown tells whether they go on.
  while (index !== null && dates.length <= mostDates) {
    const batch = occurrencesFrom(schedule, index, bank.runs.calendar, earliest);
    dates.push(...batch.occurrences);
    index = batch.nextIndex;
  }
  return { first: dates.slice(0, mostDates), goOn: dates.length > mostDates };
}

async function laidDates(reader: Reader, payment: Payment): Promise<UpcomingDate[]> {
  const open = (await executionsOf(reader, payment.id)).filter(({ status }) => isOpenStatus(status));
  return open.map((execution) => ({ nominalDate: execution.nominal_date, executionDate: execution.execution_date }));
}
