import type { Reader } from '../ledger/database.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import { mayRegister } from '../parties/rows/customers.ts';
import type { Payment } from './rows/payments.ts';

/**
 * Whether a PSU may sign a payment: the PSU who initiated it and, when the debtor account requires several signatures,
 * every PSU with REGISTER on that account (interface: Multiple signatures).
 */
export async function maySign(reader: Reader, customerId: number, payment: Payment): Promise<boolean> {
  if (payment.customer_id === customerId) return true;
  const { signatures_required: required } = await accountByKey(reader, payment.debtor_account_id);
  return required > 1 && (await mayRegister(reader, { customerId, accountId: payment.debtor_account_id }));
}
