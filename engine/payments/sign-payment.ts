import { type Customer, actingCustomer, type ActingCustomer, mayRegister } from '../parties/rows/customers.ts';
import { formatInstant } from '../values/instant.ts';
import type { Reader } from '../ledger/database.ts';
import { updatePayment, type Payment } from './rows/payments.ts';
import { signablePayment, insertSignature, type SignablePayment } from './rows/signable-payments.ts';
import type { Acting } from '../parties/acting.ts';
import type { WriteMoment } from '../bank/bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { registerPayment } from './register-payment.ts';
import { clip } from '../values/text.ts';
import { type Fault, Refusal } from '../values/fault.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { assert } from '../values/assert.ts';

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
  moment: WriteMoment,
  paymentId: number,
  { customer, acting }: Signer,
  basketId: number | null,
): Promise<Payment> {
  const { tx, now } = moment;
  const payment = await signablePayment(moment, paymentId, customer.id);
  await requireRightToPay(tx, customer, acting, payment);
  requireSignable(payment, basketId);
  const { signatures_required: required, signatures_given: given } = payment;
  const cause = required === 1 ? 'signed by the PSU' : `signature ${given + 1} of ${required}`;
  const isLast = given + 1 >= required;
  const signed = isLast
    ? await registerPayment(moment, payment, { cause })
    : await waitForMore(moment, payment, { cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  return acting.context === 'CORPORATE' ? updatePayment(tx, payment.id, { agreement_id: acting.agreement.id }) : signed;
}

/** A payment that is already PATC has no status change. */
async function waitForMore(moment: WriteMoment, payment: Payment, change: StatusChange): Promise<Payment> {
  return payment.status === 'PATC' ? payment : changeStatus(moment, payment, 'PATC', change);
}

/** Why a national identity number is wrong: no PSU has it, or the SCA waits for another PSU (rules.md A2c). */
export type WrongNumber = 'unknown' | 'other';

const wrongNumberTexts: Readonly<Record<WrongNumber, (psuNumber: string) => string>> = {
  unknown: (psuNumber) => `No PSU of this bank has the number ${clip(psuNumber, 40)}.`,
  other: () => 'This SCA waits for another PSU: the one whom the request of the TPP named.',
};

/** The PSU with this national identity number, or why it is wrong. */
export async function findSigner(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer | WrongNumber> {
  const signer = await actingCustomer(reader, psuNumber);
  if (signer === undefined) return 'unknown';
  return sca.customer_id !== null && sca.customer_id !== signer.customer.id ? 'other' : signer;
}

/** The fault of a wrong number (rules.md A4). */
export function wrongNumberFault(why: WrongNumber, psuNumber: string): Fault {
  return { code: 'PSU_CREDENTIALS_INVALID', text: wrongNumberTexts[why](psuNumber) };
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
  customer: Customer,
  { context, agreement }: Acting,
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
