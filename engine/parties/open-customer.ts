import type { Ids } from '../bank/ids.ts';
import { flag } from '../ledger/codec.ts';
import type { Writer } from '../ledger/database.ts';
import { openAgreement } from './open-agreement.ts';
import { type Customer, insertCustomer } from './rows/customers.ts';
import type { CustomerType } from './rows/tables.ts';

export interface CreateCustomer {
  /** The number that a PSU enters in SCA (rules.md D2). */
  readonly customerNumber: string;
  readonly name: string;
  readonly type: CustomerType;
  /** Whether the type was posted in capitals; left out: it comes back in capitals (rules.md D6). */
  readonly isTypeInCapitals?: boolean;
}

/** Inserts a customer; a private one gets its own agreement (interface: POST /v1/sandbox/customers). */
export async function openCustomer(ids: Ids, tx: Writer, wanted: CreateCustomer): Promise<Customer> {
  const customer = await insertCustomer(tx, {
    resource_id: ids.resourceId(),
    customer_number: wanted.customerNumber,
    name: wanted.name,
    type: wanted.type,
    is_type_in_capitals: flag(wanted.isTypeInCapitals ?? true),
    deleted_at: null,
  });
  if (wanted.type === 'private') {
    await openAgreement(ids, tx, { ownerId: customer.id, name: wanted.name, engagements: [] });
  }
  return customer;
}
