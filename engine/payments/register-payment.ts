import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import type { Writer } from '../ledger/database.ts';
import { scheduleExecutions } from '../settlement/change-executions.ts';
import { settleAtOnce } from '../settlement/run-steps.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { bulkSum, foreignRow, updateForeignTransfer } from './rows/credit-transfers.ts';
import { type Payment, saveNextIndexes, updatePayment } from './rows/payments.ts';
import type { Writing } from '../bank/bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { insertExpectedReturns } from './book-returns.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Plan } from './rules/plan.ts';

/**
 * Stores what its plan says of a fully signed or exempt payment, and sets its status; it takes the next place in the
 * order of signatures (rules.md T9). Single and bulk: PDNG when due today, else ACSP (S2, P13); RJCT if every item of a
 * bulk payment is marked (P14b). Periodic: ACSP, with the occurrences of its first execution date (R4, R6). What
 * settles at once: ACSC, or RJCT (P10, P10b). Returns the changed payment. Refuses what the plan refuses.
 */
export async function registerPayment(
  writing: Writing,
  payment: Payment,
  plan: Plan,
  change: StatusChange,
): Promise<Payment> {
  const { tx, now } = writing;
  if (plan.refusal !== null) throw new Refusal(plan.refusal);
  const signed = { authorised_at: now, place: 'next', received_at: plan.receivedAt } as const;
  if (plan.isAtOnce) return registerAtOnce(writing, payment, plan, { ...change, also: signed });
  await storeForeignTerms(tx, payment, plan);
  const date = payment.service === 'periodic-payments' ? null : executionDay(plan);
  const open = date === osloDate(now) ? 'PDNG' : 'ACSP';
  const marked = payment.service === 'bulk-payments' ? await markedItems(tx, payment.id) : 'none';
  const status = marked === 'all' ? 'RJCT' : open;
  const cause = marked === 'all' ? `${change.cause}, every item rejected` : change.cause;
  // First: executions copy its place and the instant at which it was received.
  const also = { ...signed, execution_date: date };
  const registered = await changeStatus(writing, payment, status, { ...change, cause, also });
  const scheduled = { paymentId: payment.id, lane: plan.lane, status: open, rejectsMarked: marked !== 'none' } as const;
  await scheduleExecutions(tx, scheduled, plan.executions);
  if (date === null) await saveNextIndexes(tx, [{ paymentId: payment.id, nextIndex: plan.nextIndex }]);
  return registered;
}

/** The day on which a single or bulk payment is executed. */
export function executionDay({ executions: [execution] }: Plan): LocalDate {
  assert(execution !== undefined, 'a payment that is no standing order has an execution');
  return execution.executionDate;
}

/** Stores the rates of a payment that has a fixing, and the value date of a foreign one (rules.md T4d, T4f). */
export async function storeForeignTerms(
  tx: Writer,
  { id }: Pick<Payment, 'id'>,
  { price, fixing, executions: [execution] }: Plan,
): Promise<void> {
  if (price === null || execution === undefined) return;
  const { valueDate, executionDate } = execution;
  const rates = fixing === null ? {} : foreignRow(price);
  await updateForeignTransfer(tx, id, { ...rates, value_date: valueDate === executionDate ? null : valueDate });
}

/** How many items of an unsigned bulk payment are marked to be rejected when it is signed (rules.md P14b). */
async function markedItems(tx: Writer, paymentId: number): Promise<'none' | 'some' | 'all'> {
  const marked = (await rejectionsOf(tx, [paymentId])).get(paymentId);
  if (marked === undefined) return 'none';
  return marked.size === (await bulkSum(tx, paymentId)).count ? 'all' : 'some';
}

/**
 * Settles a payment without a run, on a banking day or not (rules.md P10, P10b): ACSC, or RJCT for an instant payment
 * without funds.
 */
async function registerAtOnce(writing: Writing, payment: Payment, plan: Plan, change: StatusChange): Promise<Payment> {
  const { tx } = writing;
  const [execution] = plan.executions;
  assert(execution !== undefined, 'what settles at once has an execution');
  const { executionDate, bookedAt: at, bookingDate: date } = execution;
  await updatePayment(tx, payment.id, { ...change.also, execution_date: executionDate });
  await scheduleExecutions(tx, { paymentId: payment.id, lane: plan.lane, status: 'PDNG' }, plan.executions);
  const { failure, decision } = await settleAtOnce(writing, payment.id, { date, at });
  await insertExpectedReturns(writing, [decision], date);
  if (failure === null) {
    return changeStatus(writing, payment, 'ACSC', {
      ...change,
      cause: `${change.cause}, settled at once`,
      also: { leaves_at: at },
    });
  }
  assert(isInstant(payment.product), 'the plan has what a quirk settles at once settle');
  return changeStatus(writing, payment, 'RJCT', {
    ...change,
    cause: `${change.cause}, rejected at once: ${failure}`,
    also: {},
  });
}
