import { assert } from '../values/assert.ts';
import { executionDateWhenSigned } from '../time/rules/banking-calendar.ts';
import { Refusal, type Fault } from '../values/fault.ts';
import { osloDate, formatInstant } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import type { Writer, Reader } from '../ledger/database.ts';
import { changeExecutions, scheduleOccurrences, scheduleTransfers } from '../settlement/change-executions.ts';
import { settleAtOnce, runsOfPayment } from '../settlement/settle-due.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { type Payment, saveNextIndexes, standingOrderOf, updatePayment } from './rows/payments.ts';
import type { Writing } from '../bank/bank-context.ts';
import { dayWhenSigned, settlingAtOnce, receiptOf, receivePayment } from './receive-payment.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { announceTold } from './returns.ts';
import { occurrencesIfSigned } from './standing-orders.ts';
import { type Customer, actingCustomer, type ActingCustomer, mayRegister } from '../parties/rows/customers.ts';
import { signablePayment, insertSignature, type SignablePayment } from './rows/signable-payments.ts';
import type { Acting } from '../parties/acting.ts';
import { clip } from '../values/text.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { awaitsSignature, type TransactionStatus } from '../values/transaction-status.ts';

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
    const received_at = await receivePayment(writing, payment, date);
    await updatePayment(tx, payment.id, { received_at });
    await changeExecutions(tx, payment.id, { amount: null, date });
    return changeStatus(writing, payment, open, { ...change, also });
  }
  const marked = payment.service === 'bulk-payments' ? await markedItems(tx, payment.id) : 'none';
  const status = marked === 'all' ? 'RJCT' : open;
  const cause = marked === 'all' ? `${change.cause}, every item rejected` : change.cause;
  const received_at = await receivePayment(writing, payment, date);
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
  const { receivedAt: received_at } = await receiptOf(writing, payment, null);
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

/** The PSU who signs, with the context of the signature. */
export interface Signer {
  readonly customer: Customer;
  readonly acting: Acting;
}

/**
 * Adds a PSU's signature to a payment (interface: Multiple signatures; rules.md S2): PATC while the account requires more
 * signatures; the last signature registers the payment. `basketId` is the signed basket, or null for the payment
 * alone. Changes nothing if it refuses: a PSU without the right to pay (FORBIDDEN, A4), or a refusal of requireSignable.
 */
export async function signPayment(
  writing: Writing,
  paymentId: number,
  signer: Signer,
  basketId: number | null,
): Promise<Payment> {
  const { tx, now } = writing;
  const { customer, acting } = signer;
  const payment = await signablePayment(writing, paymentId, customer.id);
  await requireRightToPay(tx, signer, payment);
  requireSignable(payment, basketId);
  const { signatures_required: required, signatures_given: given } = payment;
  const cause = required === 1 ? 'signed by the PSU' : `signature ${given + 1} of ${required}`;
  const isLast = given + 1 >= required;
  const signed = isLast
    ? await registerPayment(writing, payment, { cause })
    : await waitForMore(writing, payment, { cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  return acting.context === 'CORPORATE' ? updatePayment(tx, payment.id, { agreement_id: acting.agreement.id }) : signed;
}

/** A payment that is already PATC has no status change. */
async function waitForMore(writing: Writing, payment: Payment, change: StatusChange): Promise<Payment> {
  return payment.status === 'PATC' ? payment : changeStatus(writing, payment, 'PATC', change);
}

/** Why a national identity number is wrong: no PSU has it, or the SCA waits for another PSU (rules.md A2c). */
export type WrongNumber = 'unknown' | 'other';

/** The PSU with this national identity number, or why it is wrong. */
export async function findSigner(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer | WrongNumber> {
  const signer = await actingCustomer(reader, psuNumber);
  if (signer === undefined) return 'unknown';
  return sca.customer_id !== null && sca.customer_id !== signer.customer.id ? 'other' : signer;
}

/** The fault of a wrong number (rules.md A4). */
export function wrongNumberFault(why: WrongNumber, psuNumber: string): Fault {
  const other = 'This SCA waits for another PSU: the one whom the request of the TPP named.';
  const text = why === 'other' ? other : `No PSU of this bank has the number ${clip(psuNumber, 40)}.`;
  return { code: 'PSU_CREDENTIALS_INVALID', text };
}

/** The PSU with this national identity number. PSU_CREDENTIALS_INVALID: unknown, or not the one the SCA waits for (rules.md A4). */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer> {
  const signer = await findSigner(reader, sca, psuNumber);
  if (typeof signer === 'string') throw new Refusal(wrongNumberFault(signer, psuNumber));
  return signer;
}

/**
 * FORBIDDEN unless the PSU may pay from the debtor account in this context: in PRIVATE it must hold the account, in
 * CORPORATE have an engagement with REGISTER on it under the agreement (rules.md A4; interface: What the service does, 9).
 */
export async function requireRightToPay(
  reader: Reader,
  { customer, acting: { context, agreement } }: Signer,
  payment: SignablePayment,
): Promise<void> {
  const { debtor_account_id: accountId, debtor_bban: bban } = payment;
  const mayPay =
    context === 'PRIVATE'
      ? payment.debtor_customer_id === customer.id
      : await mayRegister(reader, { customerId: customer.id, accountId }, agreement.id);
  if (mayPay) return;
  const text =
    `The PSU does not reach account ${bban} here: in PRIVATE it must hold the account, in CORPORATE it needs an ` +
    'engagement with REGISTER on it under the agreement that it chose.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}

/**
 * Refuses a payment that its PSU cannot sign. The same check applies when an SCA starts, on its page and at the signature.
 * STATUS_INVALID when the payment takes no signature (rules.md P12), or this PSU has signed it already (interface: Multiple
 * signatures). RESOURCE_BLOCKED when it is in an open basket other than `basketId`; null signs the payment alone.
 */
export function requireSignable(payment: SignablePayment, basketId: number | null): void {
  const refusal = signatureRefusal(payment.status);
  if (refusal !== null) throw refusal;
  if (payment.basket_id !== null && payment.basket_id !== basketId) throw waitsInBasket(payment);
  if (payment.is_signed === 0) return;
  const text = 'This PSU has signed the payment already: it waits for the signature of another one.';
  throw new Refusal({ code: 'STATUS_INVALID', text });
}

/** RESOURCE_BLOCKED: the payment can only be signed with its basket (interface: Errors). */
function waitsInBasket({ basket_resource_id: id, basket_expires_at: expiresAt }: SignablePayment): Refusal {
  assert(id !== null && expiresAt !== null, 'an open basket has an id and an end');
  const text =
    `The payment waits in the signing basket ${id} and is signed with it. Authorise the basket; ` +
    `at ${formatInstant(expiresAt)} it is removed.`;
  return new Refusal({ code: 'RESOURCE_BLOCKED', text });
}

/** STATUS_INVALID for a payment that takes no signature; null for RCVD and PATC. */
export function signatureRefusal(status: TransactionStatus): Refusal | null {
  if (awaitsSignature(status)) return null;
  return new Refusal({ code: 'STATUS_INVALID', text: `The payment is ${status}: it takes no signature.` });
}
