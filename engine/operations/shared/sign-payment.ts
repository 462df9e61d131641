import { Refusal } from '../../core/fault.ts';
import type { Instant } from '../../core/instant.ts';
import { accountByKey } from '../../ledger/accounts.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Transaction } from '../../ledger/database.ts';
import { updatePayment, type Payment } from '../../ledger/payments.ts';
import { insertSignature, signaturesOf } from '../../ledger/signatures.ts';
import type { Acting } from './acting.ts';
import type { BankContext } from './bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { signatureRefusal } from './closed-sca.ts';
import { registerPayment } from './register-payment.ts';
import { requireRightToPay } from './signer.ts';

/** Who signs, and on whose behalf. */
export interface Signer {
  readonly customer: Customer;
  readonly acting: Acting;
}

/**
 * Puts a PSU's signature under a payment (interface: Multiple signatures; rules.md S2): PATC while the account asks for
 * more of them, then the payment is registered. Refuses, changing nothing: a PSU without the right (FORBIDDEN, A4), one
 * who has signed it already, a payment that takes no signature (STATUS_INVALID).
 */
export async function signPayment(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  { customer, acting }: Signer,
  now: Instant,
): Promise<Payment> {
  await requireRightToPay(tx, customer, acting, payment);
  const refusal = signatureRefusal(payment.status);
  if (refusal !== null) throw refusal;
  const given = await signaturesOf(tx, payment.id);
  refuseSecondSignature(given, customer);
  const { signatures_required: required } = await accountByKey(tx, payment.debtor_account_id);
  const cause = required === 1 ? 'signed by the PSU' : `signature ${given.length + 1} of ${required}`;
  const isLast = given.length + 1 >= required;
  const signed = isLast
    ? await registerPayment(bank, tx, payment, { at: now, cause })
    : await waitForMore(bank, tx, payment, { at: now, cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  if (acting.context === 'CORPORATE') await updatePayment(tx, payment.id, { agreement_id: acting.agreement.id });
  return signed;
}

/** One PSU signs a payment once: STATUS_INVALID. */
export function refuseSecondSignature(given: readonly { readonly customer_id: number }[], customer: Customer): void {
  if (!given.some((signature) => signature.customer_id === customer.id)) return;
  throw statusInvalid('This PSU has signed the payment already: it waits for the signature of another one.');
}

/** A payment that is PATC stays it: the signature alone is kept. */
async function waitForMore(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  change: StatusChange,
): Promise<Payment> {
  return payment.status === 'PATC' ? payment : changeStatus(bank, tx, payment, 'PATC', change);
}

function statusInvalid(text: string): Refusal {
  return new Refusal({ code: 'STATUS_INVALID', text });
}
