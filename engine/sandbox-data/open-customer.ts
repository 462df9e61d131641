import type { Ids } from '../bank/ids.ts';
import { insertAgreement } from '../parties/rows/agreements.ts';
import { insertCustomer, type Customer } from '../parties/rows/customers.ts';
import type { Transaction } from '../ledger/database.ts';
import type { CustomerType } from '../parties/rows/tables.ts';

/** Registers a customer; a private one gets an agreement of its own (interface: POST /v1/sandbox/customers). */
export async function openCustomer(
  ids: Ids,
  tx: Transaction,
  wanted: { readonly customerNumber: string; readonly name: string; readonly type: CustomerType },
): Promise<Customer> {
  const customer = await insertCustomer(tx, {
    resource_id: ids.resourceId(),
    customer_number: wanted.customerNumber,
    name: wanted.name,
    type: wanted.type,
    deleted_at: null,
  });
  if (wanted.type === 'private') {
    await insertAgreement(tx, { resource_id: ids.uuid(), owner_id: customer.id, name: wanted.name, deleted_at: null });
  }
  return customer;
}
