import type { BankContext, BankTime } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { firstUntriedDate } from '../settlement/rows/executions.ts';
import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { executionDateWhenSigned } from '../time/rules/execution-date.ts';
import { lateRun, timeOfRun } from '../time/rules/late-run.ts';
import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { isInstant } from '../values/product.ts';
import { standingOrderOf, type Payment } from './rows/payments.ts';
import { firstDateIfSigned } from './schedule-of-order.ts';

/** A payment, or the first occurrence of a standing order, that is due on a day of which no run is left. */
export interface LateExecution {
  readonly dueOn: LocalDate;
  /** The run that carries it out. */
  readonly run: SettlementRun;
  /** When it takes place in Oslo, `05:30`. */
  readonly time: string;
}

/** The moment at which a payment is read. */
export type ReadAt = Pick<BankTime, 'now' | 'lastRunAt'>;

/** Statuses in which no run has tried a payment; a standing order keeps ACSP after its first occurrence. */
const untried: readonly TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG'];

/**
 * Whether a payment that no run has tried is due on a day of which no run is left, and which run carries it out (rules.md P3b): of an
 * unsigned payment as if it were signed now (P13). Null: a run of its day does. `payment` as it reads at that time.
 */
export async function lateRunOf(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  { now, lastRunAt }: ReadAt,
): Promise<LateExecution | null> {
  if (isInstant(payment.product) || !untried.includes(payment.status)) return null;
  const dueOn = await firstExecutionDate(bank, reader, payment, { now, lastRunAt });
  if (dueOn === null) return null;
  const authorisedAt = payment.authorised_at ?? now;
  const run = lateRun({ executionDate: dueOn, authorisedAt, lastRunAt }, bank.runs);
  return run === null ? null : { dueOn, run, time: timeOfRun(run, bank.runs) };
}

async function firstExecutionDate(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  { now }: ReadAt,
): Promise<LocalDate | null> {
  const isUnsigned = awaitsSignature(payment.status);
  const { execution_date: date } = payment;
  if (date !== null) return isUnsigned ? executionDateWhenSigned(date, osloDate(now), bank.runs.calendar) : date;
  if (!isUnsigned) return firstUntriedDate(reader, payment.id);
  return firstDateIfSigned(bank, await standingOrderOf(reader, payment.id), now);
}
