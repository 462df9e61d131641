import type { Customer } from '../ledger/customers.ts';
import type { BankContext } from './shared/bank-context.ts';
import { requireCustomer } from './shared/find-sandbox-resource.ts';

/** One customer of the sandbox. Unknown: RESOURCE_UNKNOWN. */
export function readCustomer(bank: BankContext, customerId: string): Promise<Customer> {
  return bank.ledger.read((reader) => requireCustomer(reader, customerId));
}
