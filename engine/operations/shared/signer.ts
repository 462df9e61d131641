import { clip } from '../../core/clip.ts';
import { Refusal } from '../../core/fault.ts';
import { accountByKey } from '../../ledger/accounts.ts';
import { customerByNumber, type Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import { registersUnder } from '../../ledger/engagements.ts';
import type { Payment } from '../../ledger/payments.ts';
import type { Sca } from '../../ledger/scas.ts';
import type { Acting } from './acting.ts';

/** The PSU behind a national identity number, who must be the one the SCA waits for (rules.md A4). */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<Customer> {
  const customer = await customerByNumber(reader, psuNumber);
  if (customer === undefined || customer.type !== 'private') {
    const text = `No PSU of this bank has the number ${clip(psuNumber, 40)}.`;
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
  if (sca.customer_id !== null && sca.customer_id !== customer.id) {
    const text = 'This SCA waits for another PSU: the one whom the request of the TPP named.';
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
  return customer;
}

/**
 * Whether a PSU reaches the debtor account in a context: in PRIVATE it must hold the account, in CORPORATE it must have
 * an engagement with REGISTER on it under that agreement (rules.md A4; interface: What the service does, 9).
 */
export async function mayPay(reader: Reader, customer: Customer, acting: Acting, payment: Payment): Promise<boolean> {
  const account = await accountByKey(reader, payment.debtor_account_id);
  if (acting.context === 'PRIVATE') return account.customer_id === customer.id;
  return registersUnder(reader, acting.agreement.id, { customerId: customer.id, accountId: account.id });
}

/** Refuses with FORBIDDEN what {@link mayPay} denies. */
export async function requireRightToPay(
  reader: Reader,
  customer: Customer,
  acting: Acting,
  payment: Payment,
): Promise<void> {
  if (!(await mayPay(reader, customer, acting, payment))) throw await noRightToPay(reader, payment);
}

/** The refusal of a PSU who has no right to the debtor account in the context, or in any. */
export async function noRightToPay(reader: Reader, payment: Payment): Promise<Refusal> {
  const { bban } = await accountByKey(reader, payment.debtor_account_id);
  const text =
    `The PSU does not reach account ${bban} here: in PRIVATE it must hold the account, in CORPORATE it needs an ` +
    'engagement with REGISTER on it under the agreement that it chose.';
  return new Refusal({ code: 'FORBIDDEN', text });
}
