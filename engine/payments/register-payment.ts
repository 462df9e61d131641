import { assert } from '../values/assert.ts';
import { executionDateWhenSigned } from '../time/rules/banking-calendar.ts';
import { Refusal } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import type { Writer } from '../ledger/database.ts';
import { rescheduleTransfers, scheduleOccurrences, scheduleTransfers } from '../settlement/change-executions.ts';
import { settleAtOnce } from '../settlement/settle-due.ts';
import { rejectionsOf } from '../settlement/rows/provoked-executions.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { type Payment, saveNextIndex, standingOrderOf, updatePayment } from './rows/payments.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import type { WriteMoment } from '../bank/bank-context.ts';
import { dayWhenSigned, settlingAtOnce, receiptOf, receivePayment } from './receive-payment.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { occurrencesIfSigned } from './standing-orders.ts';

/** Registers a payment with the change of its status, and returns the changed payment. */
type Register = (moment: WriteMoment, payment: Payment, change: StatusChange) => Promise<Payment>;

/**
 * Creates the executions of a fully signed or exempt payment and sets its status. Single and bulk: PDNG when due today,
 * else ACSP (rules.md S2, P13). Periodic: ACSP, with the occurrences of its first execution date (R4, R6, P13). Instant:
 * settles now (P10).
 */
export const registerPayment: Register = async (moment, payment, change) => {
  if (payment.service === 'periodic-payments') return registerStandingOrder(moment, payment, change);
  if (isInstant(payment.product)) return registerInstant(moment, payment, change);
  return registerForItsDay(moment, payment, change);
};

/**
 * Each item of a bulk payment gets its own execution, in the order of the body (rules.md S3). Marked items are rejected now; if all
 * are, so is the payment (P14b). Under a quirk a transfer inside the bank settles now if funds suffice (P10b).
 */
const registerForItsDay: Register = async (moment, payment, change) => {
  const { bank, tx, now } = moment;
  const today = osloDate(now);
  assert(payment.execution_date !== null, 'a payment that is no standing order has an execution date');
  const agreed = executionDateWhenSigned(payment.execution_date, today, bank.runs.calendar);
  const date = await dayWhenSigned(moment, payment, agreed);
  const open = date === today ? 'PDNG' : 'ACSP';
  const also = { authorised_at: now, execution_date: date };
  if ((await settlingAtOnce(moment, [payment])).has(payment.id)) {
    const { settled } = await executeToday(moment, payment, change, open);
    if (settled !== null) return settled;
    const received_at = await receivePayment(moment, payment, date);
    await updatePayment(tx, payment.id, { received_at });
    await rescheduleTransfers(tx, payment.id, { date, status: open });
    return changeStatus(moment, payment, open, { ...change, also });
  }
  const marked = payment.service === 'bulk-payments' ? await markedItems(tx, payment.id) : 'none';
  const status = marked === 'all' ? 'RJCT' : open;
  const cause = marked === 'all' ? `${change.cause}, every item rejected` : change.cause;
  const received_at = await receivePayment(moment, payment, date);
  const registered = await changeStatus(moment, payment, status, { ...change, cause, also: { ...also, received_at } });
  await scheduleTransfers(tx, payment.id, { date, status: open, rejectsMarked: marked !== 'none' });
  return registered;
};

/** How many items of an unsigned bulk payment are marked to be rejected when it is signed (rules.md P14b). */
async function markedItems(tx: Writer, paymentId: number): Promise<'none' | 'some' | 'all'> {
  const marked = (await rejectionsOf(tx, [paymentId])).get(paymentId);
  if (marked === undefined) return 'none';
  return marked.size === (await bulkSum(tx, paymentId)).count ? 'all' : 'some';
}

/** An instant payment settles without a run (rules.md P10): ACSC, or RJCT when funds are lacking. */
const registerInstant: Register = async (moment, payment, change) => {
  const { failure, settled } = await executeToday(moment, payment, change, null);
  if (settled !== null) return settled;
  const rejected = `${change.cause}, rejected at once: ${failure}`;
  return changeStatus(moment, payment, 'RJCT', { ...change, cause: rejected, situation: 'straks refused' });
};

/**
 * Executes a payment today, banking day or not, without a run (rules.md P10, P10b): ACSC. If that fails, `settled` is null: its execution is
 * rejected, or waits for the runs in the status `waitsAs`.
 */
async function executeToday(
  moment: WriteMoment,
  payment: Payment,
  change: StatusChange,
  waitsAs: 'ACSP' | 'PDNG' | null,
): Promise<{ readonly failure: string | null; readonly settled: Payment | null }> {
  const { tx, now: at } = moment;
  const today = osloDate(at);
  await updatePayment(tx, payment.id, { authorised_at: at, received_at: at, execution_date: today });
  await scheduleTransfers(tx, payment.id, { date: today, status: waitsAs ?? 'PDNG' });
  const { failure, next } = await settleAtOnce(moment, payment.id, waitsAs !== null);
  if (failure !== null) return { failure, settled: null };
  const settledNow = { ...change, cause: `${change.cause}, settled at once`, also: { leaves_at: next.at } };
  return { failure, settled: await changeStatus(moment, payment, 'ACSC', settledNow) };
}

const registerStandingOrder: Register = async (moment, payment, change) => {
  const { tx, now } = moment;
  const { occurrences, nextIndex } = await firstOccurrences(moment, payment);
  const { receivedAt: received_at } = await receiptOf(moment, payment, null);
  const also = { authorised_at: now, received_at };
  const registered = await changeStatus(moment, payment, 'ACSP', { ...change, also });
  await scheduleOccurrences(tx, payment.id, occurrences);
  await saveNextIndex(tx, payment.id, nextIndex);
  return registered;
};

/** The occurrences of the first execution date that has not passed. None left: EXECUTION_DATE_INVALID. */
async function firstOccurrences(moment: WriteMoment, payment: Payment) {
  const { tx, now } = moment;
  const runs = await runsOfPayment(moment, payment.id);
  const batch = occurrencesIfSigned(runs, await standingOrderOf(tx, payment.id), now);
  if (batch.occurrences.length > 0) return batch;
  const text = `Every day of execution had passed by ${osloDate(now)}, when the payment was signed. Initiate a new one.`;
  throw new Refusal({ code: 'EXECUTION_DATE_INVALID', path: 'endDate', text });
}
