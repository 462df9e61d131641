import { Refusal } from '../values/fault.ts';
import { customerByNumber, type Customer } from '../parties/rows/customers.ts';
import type { CustomerType } from '../parties/rows/tables.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { openCustomer } from './open-customer.ts';

export interface CreateCustomer {
  /** What a PSU types in SCA (rules.md D2). */
  readonly customerNumber: string;
  readonly name: string;
  readonly type: CustomerType;
}

/** Registers a customer; a private one gets an agreement. A number in use: CONFLICT (rules.md D3b). */
export function createCustomer(bank: BankContext, wanted: CreateCustomer): Promise<Customer> {
  return bank.ledger.write(async (tx) => {
    const other = await customerByNumber(tx, wanted.customerNumber);
    if (other === undefined) return openCustomer(bank.ids, tx, wanted);
    const text =
      `Customer ${wanted.customerNumber} exists already: ${other.name}, customerId ${other.resource_id}. ` +
      'Use it, DELETE it first, or send another number.';
    throw new Refusal({ code: 'CONFLICT', path: 'customerNumber', text });
  });
}
