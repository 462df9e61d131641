import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { formatInstant } from '../values/instant.ts';
import { awaitsSignature, type TransactionStatus } from '../values/transaction-status.ts';
import type { Reader } from '../ledger/database.ts';
import type { Writing } from '../bank/bank-context.ts';
import type { Acting } from '../parties/acting.ts';
import { type Customer, mayRegister } from '../parties/rows/customers.ts';
import { type Payment, updatePayment } from './rows/payments.ts';
import { signablePayment, insertSignature, type SignablePayment } from './rows/signable-payments.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { planToRegister } from './plan-payments.ts';
import { registerPayment } from './register-payment.ts';

/** The PSU who signs, with the context of the signature. */
export interface Signer {
  readonly customer: Customer;
  readonly acting: Acting;
}

/**
 * Adds a PSU's signature to a payment (interface: Multiple signatures; rules.md S2): PATC while the account requires
 * more signatures; the last signature registers the payment. `basketId` is the signed basket, or null for the payment
 * alone. Changes nothing if it refuses: a PSU without the right to pay (FORBIDDEN, A4), or a refusal of
 * requireSignable.
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
    ? await registerPayment(writing, payment, await planToRegister(writing, payment), { cause })
    : await waitForMore(writing, payment, { cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  return acting.context === 'CORPORATE' ? updatePayment(tx, payment.id, { agreement_id: acting.agreement.id }) : signed;
}

/** A payment that is already PATC has no status change. */
async function waitForMore(writing: Writing, payment: Payment, change: StatusChange): Promise<Payment> {
  return payment.status === 'PATC' ? payment : changeStatus(writing, payment, 'PATC', change);
}

/**
 * FORBIDDEN unless the PSU may pay from the debtor account in this context: in PRIVATE it must hold the account, in
 * CORPORATE have an engagement with REGISTER on it under the agreement (rules.md A4; interface: What the service does,
 * 9).
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
 * Refuses a payment that its PSU cannot sign. The same check applies when an SCA starts, on its page and at the
 * signature. STATUS_INVALID when the payment takes no signature (rules.md P12), or this PSU has signed it already
 * (interface: Multiple signatures). RESOURCE_BLOCKED when it is in an open basket other than `basketId`; null signs the
 * payment alone.
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
