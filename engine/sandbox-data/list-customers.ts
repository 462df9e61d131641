import { customers, type Customer } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Every customer of the sandbox, in the order of their creation. */
export function listCustomers(bank: BankContext): Promise<Customer[]> {
  return bank.ledger.read(customers);
}
