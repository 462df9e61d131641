import type { BankContext, BankTime } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { firstUntried } from '../settlement/rows/executions.ts';
import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { lateRun, timeOfRun, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { DatedExecution } from '../time/rules/moved-date.ts';
import { osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { isInstant } from '../values/product.ts';
import { requestedDateOf, standingOrderOf, type Payment } from './rows/payments.ts';
import { shownDate } from './rules/shown-date.ts';
import { firstIfSigned } from './schedule-of-order.ts';

/** The moment at which a payment is read. */
export type ReadAt = Pick<BankTime, 'now' | 'lastRunAt'>;

/** Statuses in which no run has tried a payment; a standing order keeps ACSP after its first occurrence. */
const untried: readonly TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG'];

/**
 * The execution day of a payment that no run has tried, or of the next occurrence of a standing order. An unsigned payment counts as
 * signed now (rules.md P3b, P3c, P13). Null if a run has tried it, for an instant payment, and if no date is left. `payment` as it
 * reads at that time; `requested` is the date in its body, which is read if left out.
 */
export async function untriedExecution(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  { now }: Pick<ReadAt, 'now'>,
  requested?: LocalDate | null,
): Promise<DatedExecution | null> {
  const { id, status } = payment;
  if (isInstant(payment.product) || !untried.includes(status)) return null;
  const executionDate = shownDate(payment, now, bank.runs.calendar);
  if (executionDate !== null) {
    const wanted = requested === undefined ? await requestedDateOf(reader, id) : requested;
    return { wanted: wanted ?? osloDate(payment.initiated_at), executionDate, rule: 'following' };
  }
  const order = await standingOrderOf(reader, id);
  const next = awaitsSignature(status) ? firstIfSigned(bank, order, now) : await firstUntried(reader, id);
  if (next === null) return null;
  return { wanted: next.nominalDate, executionDate: next.executionDate, rule: order.execution_rule };
}

/**  A payment, or the first occurrence of a standing order, whose day has no run left. */
export interface LateExecution {
  readonly dueOn: LocalDate;
  /** The run that carries it out. */
  readonly run: SettlementRun;
  /** When it takes place in Oslo, `05:30`. */
  readonly time: string;
}

/**  The run that carries out an untried execution whose day has no run left (rules.md P3b); null if a run of that day remains. */
export function lateExecution(
  { runs }: BankContext,
  { executionDate: dueOn }: DatedExecution,
  { authorised_at: authorisedAt }: Payment,
  { now, lastRunAt }: ReadAt,
): LateExecution | null {
  const run = lateRun({ executionDate: dueOn, authorisedAt: authorisedAt ?? now, lastRunAt }, runs);
  return run === null ? null : { dueOn, run, time: timeOfRun(run, runs) };
}
