import type { Customer } from '../parties/rows/customers.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import { updatePayment, type Payment } from './rows/payments.ts';
import { signablePayment, insertSignature } from './rows/signable-payments.ts';
import type { Acting } from '../parties/acting.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { registerPayment } from './register-payment.ts';
import { requireSignable } from './require-signable.ts';
import { requireRightToPay } from './signer.ts';

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
  bank: BankContext,
  tx: Writer,
  paymentId: number,
  { customer, acting }: Signer,
  { now, basketId }: { readonly now: Instant; readonly basketId: number | null },
): Promise<Payment> {
  const payment = await signablePayment(tx, paymentId, { customerId: customer.id, now });
  await requireRightToPay(tx, customer, acting, payment);
  requireSignable(payment, basketId);
  const { signatures_required: required, signatures_given: given } = payment;
  const cause = required === 1 ? 'signed by the PSU' : `signature ${given + 1} of ${required}`;
  const isLast = given + 1 >= required;
  const signed = isLast
    ? await registerPayment(bank, tx, payment, { at: now, cause })
    : await waitForMore(bank, tx, payment, { at: now, cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  return acting.context === 'CORPORATE' ? updatePayment(tx, payment.id, { agreement_id: acting.agreement.id }) : signed;
}

/** A payment that is already PATC has no status change. */
async function waitForMore(bank: BankContext, tx: Writer, payment: Payment, change: StatusChange): Promise<Payment> {
  return payment.status === 'PATC' ? payment : changeStatus(bank, tx, payment, 'PATC', change);
}
