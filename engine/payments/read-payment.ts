import { Refusal } from '../values/fault.ts';
import { isDomestic } from '../values/product.ts';
import { wholeInitiationOf, type Payment, findPayment, paymentByKey, updatePayment } from './rows/payments.ts';
import { type BankContext, type Reading, readBank, type PresentReading, writeBank } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { notesOf } from './gather-notes.ts';
import { noNotes, type PaymentNotes } from './rules/notes.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { awaitsSignature, deletion, isFinal, type TransactionStatus } from '../values/transaction-status.ts';
import { signablePayment, signaturesOf } from './rows/signable-payments.ts';
import { progressOf } from './rows/payment-executions.ts';
import { hasOpenPart, laggingStatus, paymentAt } from './rules/payment-status.ts';
import { clip } from '../values/text.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { TppIdentity } from '../sca/sca.ts';
import { cancelPayments } from './change-status.ts';
import { maySign } from './may-sign.ts';

/**
 * The path parameters that identify a payment; the interface's short forms have neither service nor product (rules.md
 * P2).
 */
export interface PaymentPath {
  readonly paymentId: string;
  readonly service?: string;
  readonly product?: string;
}

/**
 * Finds the payment of a path for its TPP, and for its PSU or another PSU who can sign it (rules.md G8), as it reads at
 * this time (S2b). `customer` is null when the request names no PSU. RESOURCE_UNKNOWN if there is no such payment, or
 * it was booked and has left the payment API (S6).
 */
export async function findOwnPayment(
  { reader, now }: Reading,
  tppId: string,
  path: PaymentPath,
  customer: Customer | null,
): Promise<Payment> {
  const payment = await findPayment(reader, { resourceId: path.paymentId });
  const isThere =
    payment !== undefined &&
    payment.tpp_id === tppId &&
    (customer === null || (await maySign(reader, customer.id, payment))) &&
    (path.service ?? payment.service) === payment.service &&
    (path.product ?? payment.product) === payment.product;
  if (!isThere) {
    const text = `This TPP and PSU have no payment ${clip(path.paymentId)} here. Check the id, the service and the product.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  if (payment.leaves_at !== null && payment.leaves_at <= now) {
    const text =
      payment.service === 'periodic-payments'
        ? 'The standing order has ended and has left the payment API. What it paid are transactions of its accounts.'
        : 'The payment is booked and has left the payment API. Read it as a transaction of its accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  return paymentAt(payment, now);
}

/** Finds a payment of any TPP and PSU, for the control plane, as it reads at `now`. Unknown: NOT_FOUND. */
export async function findAnyPayment({ reader, now }: Reading, paymentId: string): Promise<Payment> {
  const payment = await findPayment(reader, { resourceId: paymentId });
  if (payment !== undefined) return paymentAt(payment, now);
  const text =
    `There is no payment ${clip(paymentId)}. Percent-encode the id where your client does not; ` +
    'a reset removes all payments.';
  throw new Refusal({ code: 'NOT_FOUND', text });
}

/** Whether a payment can change no more: its status is final, or it is PART and no item is open (rules.md S7, S9b). */
export async function hasEnded(reader: Reader, { id, status }: Pick<Payment, 'id' | 'status'>): Promise<boolean> {
  if (status !== 'PART') return isFinal(status);
  return !(await progressOf(reader, [id])).some(({ parts }) => hasOpenPart(parts));
}

/** STATUS_INVALID for a payment that has ended: nothing follows. */
export async function requireNotEnded(reader: Reader, payment: Payment): Promise<void> {
  if (!(await hasEnded(reader, payment))) return;
  const isPart = payment.status === 'PART';
  const text = isPart
    ? 'The payment is PART and no item of it is open, so nothing follows.'
    : `The payment is ${payment.status}, which is final: nothing follows it.`;
  const open: TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG', 'ACCP'];
  throw new Refusal({ code: 'STATUS_INVALID', text, allowed: isPart ? open : [...open, 'PART'] });
}

/** STATUS_INVALID unless the payment is ACSP: another channel acts on no other (rules.md P14). */
export function requireSigned(payment: Payment): void {
  if (payment.status === 'ACSP') return;
  const text = `The payment is ${payment.status}, and another channel acts on one that is ACSP only.`;
  throw new Refusal({ code: 'STATUS_INVALID', text, allowed: ['ACSP'] });
}

/** What a payment's link `startAuthorisation` starts; null without such a link. */
type NextAuthorisation = 'payment' | 'cancellation' | null;

/**
 * What can be authorised of a payment as it reads at `now` (rules.md P12b): its signature, unless it waits in an open
 * basket and is signed with that; after a DELETE its cancellation, while it can still be cancelled.
 */
async function nextAuthorisation(reading: Reading, payment: Payment): Promise<NextAuthorisation> {
  if (payment.status === 'ACSP') return payment.cancellation_requested_at === null ? null : 'cancellation';
  if (!awaitsSignature(payment.status)) return null;
  return (await signablePayment(reading, payment.id, null)).basket_id === null ? 'payment' : null;
}

interface ReadPayment {
  readonly tppId: string;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
}

/** What every answer shows of a payment. */
export interface ShownPayment {
  /** As it reads now: the due day and a lagging status change no row (rules.md S2b, Q21). */
  readonly payment: Payment;
  readonly notes: PaymentNotes;
  readonly next: NextAuthorisation;
}

export interface PaymentDetails extends ShownPayment {
  /** The request body as the TPP sent it, JSON text. */
  readonly initiation: string;
}

/** Reads a payment for its TPP (rules.md G8, S6, S7). Unknown: RESOURCE_UNKNOWN. */
export function readPayment(bank: BankContext, query: ReadPayment): Promise<PaymentDetails> {
  return readBank(bank, async (reading) => {
    const payment = await findFor(reading, query);
    const initiation = await wholeInitiationOf(reading.reader, payment);
    return { ...(await showPayment(reading, payment)), initiation };
  });
}

/**
 * Reads the status of a payment for its TPP. RESOURCE_UNKNOWN for a domestic payment that the PSU has not approved,
 * unless the quirk status-before-approval is on (rules.md S9).
 */
export function readPaymentStatus(bank: BankContext, query: ReadPayment): Promise<ShownPayment> {
  return readBank(bank, async (reading) => {
    const payment = await findFor(reading, query);
    if (isDomestic(payment.product) && payment.status === 'RCVD' && !bank.quirks.has('status-before-approval')) {
      const text =
        'The status of this payment cannot be fetched before the PSU approves it (a known issue of the interface). ' +
        'Start its authorisation; the quirk status-before-approval of this sandbox gives RCVD instead.';
      throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
    }
    return showPayment(reading, payment);
  });
}

/** A payment as it reads at this time, with its notes and what can be authorised of it. */
async function showPayment(reading: PresentReading, found: Payment): Promise<ShownPayment> {
  const payment = await shownPayment(reading, found);
  return {
    payment,
    notes: await notesOf(reading, payment),
    next: await nextAuthorisation(reading, payment),
  };
}

async function findFor(reading: Reading, { tppId, psu, path }: ReadPayment): Promise<Payment> {
  const { customer } = await identifyPsu(reading.reader, tppId, psu);
  return findOwnPayment(reading, tppId, path, customer);
}

/**
 * A payment as its TPP reads it: under the quirk status-lag, as if its status of before the SCA were forced (rules.md
 * Q21, S9b). For answers only: never write it back.
 */
async function shownPayment({ bank, reader, now }: Reading, payment: Payment): Promise<Payment> {
  const lag = bank.quirks.get('status-lag');
  if (lag === undefined || payment.forced_status !== null) return payment;
  const signatures = await signaturesOf(reader, { paymentId: payment.id });
  const signedAt = signatures.map(({ signed_at: at }) => at);
  return { ...payment, forced_status: laggingStatus(payment, { lag, signedAt }, now)?.status ?? null };
}

/** Several payments as their TPP reads them. */
export async function shownPayments(reading: Reading, payments: readonly Payment[]): Promise<readonly Payment[]> {
  const shown: Payment[] = [];
  for (const payment of payments) shown.push(await shownPayment(reading, payment));
  return shown;
}

interface DeletePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
}

/** A payment after a DELETE, with the notes of the answer. */
export interface DeletedPayment {
  readonly payment: Payment;
  readonly notes: PaymentNotes;
}

/**
 * Cancels an unsigned payment at once. For a signed one (ACSP) records that a cancellation is requested, which the PSU
 * must sign; the payment stays ACSP until then (rules.md P12, R10). In any later status: CANCELLATION_INVALID.
 */
export function deletePayment(bank: BankContext, command: DeletePayment): Promise<DeletedPayment> {
  return writeBank(bank, async (writing) => {
    const { tx } = writing;
    const { customer } = await identifyPsu(tx, command.tpp.id, command.psu);
    const payment = await findOwnPayment(writing, command.tpp.id, command.path, customer);
    switch (deletion(payment.status)) {
      case 'at once':
        await cancelPayments(writing, [payment], { cause: 'deleted by the TPP' });
        return { payment: await paymentByKey(tx, payment.id), notes: noNotes };
      case 'by authorisation': {
        const requested = await updatePayment(tx, payment.id, { cancellation_requested_at: writing.now });
        const shown = await shownPayment(writing, requested);
        return { payment: shown, notes: await notesOf(writing, shown) };
      }
      case 'never':
        throw new Refusal({ code: 'CANCELLATION_INVALID', text: deletionTooLate(payment) });
    }
  });
}

function deletionTooLate(payment: Payment): string {
  return (
    `The payment is ${payment.status} and can no longer be deleted. ` +
    'A payment can be deleted while DELETE is among the verbs of its self link.'
  );
}
