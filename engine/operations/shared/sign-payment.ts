import { accountByKey } from '../../ledger/accounts.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Transaction } from '../../ledger/database.ts';
import { updatePayment, type Payment } from '../../ledger/payments.ts';
import { insertSignature, signaturesOf } from '../../ledger/signatures.ts';
import type { Acting } from './acting.ts';
import type { BankContext } from './bank-context.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { registerPayment } from './register-payment.ts';
import { requireSignable, type Signing } from './require-signable.ts';
import { requireRightToPay } from './signer.ts';

/** Who signs, and on whose behalf. */
export interface Signer {
  readonly customer: Customer;
  readonly acting: Acting;
}

/**
 * Puts a PSU's signature under a payment (interface: Multiple signatures; rules.md S2): PATC while the account asks for
 * more of them, then the payment is registered. Refuses, changing nothing: a PSU without the right (FORBIDDEN, A4), and
 * what requireSignable refuses.
 */
export async function signPayment(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  { customer, acting }: Signer,
  { now, basketId }: Omit<Signing, 'customer'>,
): Promise<Payment> {
  await requireRightToPay(tx, customer, acting, payment);
  await requireSignable(tx, payment, { customer, now, basketId });
  const given = await signaturesOf(tx, payment.id);
  const { signatures_required: required } = await accountByKey(tx, payment.debtor_account_id);
  const cause = required === 1 ? 'signed by the PSU' : `signature ${given.length + 1} of ${required}`;
  const isLast = given.length + 1 >= required;
  const signed = isLast
    ? await registerPayment(bank, tx, payment, { at: now, cause })
    : await waitForMore(bank, tx, payment, { at: now, cause });
  await insertSignature(tx, { payment_id: payment.id, customer_id: customer.id, signed_at: now });
  return acting.context === 'CORPORATE' ? updatePayment(tx, payment.id, { agreement_id: acting.agreement.id }) : signed;
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
