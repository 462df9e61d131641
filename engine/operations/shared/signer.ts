import { Refusal } from '../../core/fault.ts';
import { accountByKey } from '../../ledger/accounts.ts';
import { mayRegister } from '../../ledger/agreements.ts';
import { customerByNumber, type Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Payment } from '../../ledger/payments.ts';
import type { Sca } from '../../ledger/scas.ts';

/** The PSU behind a national identity number, who must be the one the SCA waits for (rules.md A4). */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<Customer> {
  const customer = await customerByNumber(reader, psuNumber);
  if (customer === undefined || customer.type !== 'private') {
    const text = `No PSU of this bank has the number ${psuNumber.slice(0, 40)}.`;
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
  if (sca.customer_id !== null && sca.customer_id !== customer.id) {
    const text = 'This SCA waits for another PSU: the one whom the request of the TPP named.';
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', text });
  }
  return customer;
}

/** The PSU must hold the debtor account, or an engagement with REGISTER on it; else FORBIDDEN (rules.md A4). */
export async function requireRightToPay(reader: Reader, customer: Customer, payment: Payment): Promise<void> {
  const account = await accountByKey(reader, payment.debtor_account_id);
  if (account.customer_id === customer.id) return;
  if (await mayRegister(reader, customer.id, account.id)) return;
  const text = `The PSU neither holds account ${account.bban} nor has an engagement with REGISTER on it.`;
  throw new Refusal({ code: 'FORBIDDEN', text });
}
