import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { actingCustomer, type ActingCustomer } from '../parties/rows/agreements.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { mayRegisterUnder } from '../parties/rows/engagements.ts';
import type { SignablePayment } from './rows/signable-payments.ts';
import type { Sca } from '../sca/rows/scas.ts';
import type { Acting } from '../parties/acting.ts';

/** The PSU with this national identity number. PSU_CREDENTIALS_INVALID: unknown, or not the one the SCA waits for (rules.md A4). */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer> {
  const signer = await actingCustomer(reader, psuNumber);
  if (signer === undefined) {
    const text = `No PSU of this bank has the number ${clip(psuNumber, 40)}.`;
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
  if (sca.customer_id !== null && sca.customer_id !== signer.customer.id) {
    const text = 'This SCA waits for another PSU: the one whom the request of the TPP named.';
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
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
      : await mayRegisterUnder(reader, agreement.id, { customerId: customer.id, accountId });
  if (mayPay) return;
  const text =
    `The PSU does not reach account ${bban} here: in PRIVATE it must hold the account, in CORPORATE it needs an ` +
    'engagement with REGISTER on it under the agreement that it chose.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
