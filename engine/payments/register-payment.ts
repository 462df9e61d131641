import { assert } from '../values/assert.ts';
import { executionDateWhenSigned } from '../time/rules/banking-calendar.ts';
import { Refusal } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import type { Writer } from '../ledger/database.ts';
import { changeExecutions, scheduleOccurrences, scheduleTransfers } from '../settlement/change-executions.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import { settleAtOnce } from '../settlement/settle-due.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { type Payment, saveNextIndexes, standingOrderOf, updatePayment } from './rows/payments.ts';
import type { Writing } from '../bank/bank-context.ts';
import { dayWhenSigned, settlingAtOnce, receivedTime, fixTerms } from './received-at.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { announceTold } from './returns.ts';
import { occurrencesIfSigned } from './standing-orders.ts';

/** Registers a payment with the change of its status, and returns the changed payment. */
type Register = (writing: Writing, payment: Payment, change: StatusChange) => Promise<Payment>;

/**
 * Creates the executions of a fully signed or exempt payment and sets its status. Single and bulk: PDNG when due today,
 * else ACSP (rules.md S2, P13). Periodic: ACSP, with the occurrences of its first execution date (R4, R6, P13). Instant:
 * settles now (P10). Each takes the next place in the order of signatures (T9).
 */
export const registerPayment: Register = async (writing, payment, change) => {
  const also = { authorised_at: writing.now, place: 'next' } as const;
  return registerBy(payment)(writing, payment, { ...change, also });
};

function registerBy({ service, product }: Payment): Register {
  if (service === 'periodic-payments') return registerStandingOrder;
  return isInstant(product) ? registerInstant : registerForItsDay;
}

/**
 * Each item of a bulk payment gets its own execution, in the order of the body (rules.md S3). Marked items are rejected now; if all
 * are, so is the payment (P14b). Under a quirk a transfer inside the bank settles now if funds suffice (P10b).
 */
const registerForItsDay: Register = async (writing, payment, change) => {
  const { bank, tx, now } = writing;
  const today = osloDate(now);
  assert(payment.execution_date !== null, 'a payment that is no standing order has an execution date');
  const agreed = executionDateWhenSigned(payment.execution_date, today, bank.runs.calendar);
  const date = await dayWhenSigned(writing, payment, agreed);
  const open = date === today ? 'PDNG' : 'ACSP';
  const also = { ...change.also, execution_date: date };
  if ((await settlingAtOnce(writing, [payment])).has(payment.id)) {
    const { settled } = await executeToday(writing, payment, change, open);
    if (settled !== null) return settled;
    const received_at = await fixTerms(writing, payment, date);
    await updatePayment(tx, payment.id, { received_at });
    await changeExecutions(tx, payment.id, { amount: null, date });
    return changeStatus(writing, payment, open, { ...change, also });
  }
  const marked = payment.service === 'bulk-payments' ? await markedItems(tx, payment.id) : 'none';
  const status = marked === 'all' ? 'RJCT' : open;
  const cause = marked === 'all' ? `${change.cause}, every item rejected` : change.cause;
  const received_at = await fixTerms(writing, payment, date);
  // First: executions copy its place and the instant at which it was received.
  const registered = await changeStatus(writing, payment, status, { ...change, cause, also: { ...also, received_at } });
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
const registerInstant: Register = async (writing, payment, change) => {
  const { failure, settled } = await executeToday(writing, payment, change, null);
  if (settled !== null) return settled;
  const rejected = `${change.cause}, rejected at once: ${failure}`;
  return changeStatus(writing, payment, 'RJCT', { ...change, cause: rejected });
};

/**
 * Executes a payment today, banking day or not, without a run (rules.md P10, P10b): ACSC. If that fails, `settled` is null: its execution is
 * rejected, or waits for the runs in the status `waitsAs`.
 */
async function executeToday(
  writing: Writing,
  payment: Payment,
  change: StatusChange,
  waitsAs: 'ACSP' | 'PDNG' | null,
): Promise<{ readonly failure: string | null; readonly settled: Payment | null }> {
  const { tx, now: at } = writing;
  const today = osloDate(at);
  await updatePayment(tx, payment.id, { ...change.also, received_at: at, execution_date: today });
  await scheduleTransfers(tx, payment.id, { date: today, status: waitsAs ?? 'PDNG' });
  const { failure, next, decision } = await settleAtOnce(writing, payment.id, waitsAs !== null);
  await announceTold(writing, [decision], next.date);
  if (failure !== null) return { failure, settled: null };
  const settledNow = { ...change, cause: `${change.cause}, settled at once`, also: { leaves_at: next.at } };
  return { failure, settled: await changeStatus(writing, payment, 'ACSC', settledNow) };
}

const registerStandingOrder: Register = async (writing, payment, change) => {
  const { tx } = writing;
  const { occurrences, nextIndex } = await firstOccurrences(writing, payment);
  const { receivedAt: received_at } = await receivedTime(writing, payment, null);
  const also = { ...change.also, received_at };
  // First, as in registerForItsDay.
  const registered = await changeStatus(writing, payment, 'ACSP', { ...change, also });
  await scheduleOccurrences(tx, payment.id, occurrences);
  await saveNextIndexes(tx, [{ paymentId: payment.id, nextIndex }]);
  return registered;
};

/** The occurrences of the first execution date that has not passed. None left: EXECUTION_DATE_INVALID. */
async function firstOccurrences(writing: Writing, payment: Payment) {
  const { tx, now } = writing;
  const runs = await runsOfPayment(writing, payment.id);
  const batch = occurrencesIfSigned(runs, await standingOrderOf(tx, payment.id), now);
  if (batch.occurrences.length > 0) return batch;
  const text = `Every day of execution had passed by ${osloDate(now)}, when the payment was signed. Initiate a new one.`;
  throw new Refusal({ code: 'EXECUTION_DATE_INVALID', path: 'endDate', text });
}
