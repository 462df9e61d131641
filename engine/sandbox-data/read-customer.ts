import type { Customer } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireCustomer } from './find-sandbox-resource.ts';

/** One customer of the sandbox. Unknown: RESOURCE_UNKNOWN. */
export function readCustomer(bank: BankContext, customerId: string): Promise<Customer> {
  return bank.ledger.read((reader) => requireCustomer(reader, customerId));
}
