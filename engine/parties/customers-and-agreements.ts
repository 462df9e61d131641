import {
  type Agreement,
  insertAgreement,
  markAgreementsDeleted,
  deleteEngagements,
  deleteEngagementsUnderOwner,
  insertEngagement,
  type Customer,
  insertCustomer,
  markCustomerDeleted,
} from './rows/customers.ts';
import type { Fault } from '../values/fault.ts';
import type { Ids } from '../bank/ids.ts';
import { flagFor, renewResourceIds } from '../ledger/queries.ts';
import type { Row, Writer } from '../ledger/database.ts';
import type { CustomerType } from '../values/customer-type.ts';
import type { Instant } from '../values/instant.ts';
import { endSessionsOf } from './rows/psus.ts';

/** Fault for a body that names an unknown customer, at `path`. */
export function holderUnknown(customerNumber: string, path = 'customerNumber'): Fault {
  const text = `No customer has the number ${customerNumber}. POST /v1/sandbox/customers creates one.`;
  return { code: 'RESOURCE_UNKNOWN', place: 'payload', path, text };
}

/** What a PSU may do with an account. */
export interface NewEngagement {
  readonly customerId: number;
  readonly accountId: number;
  readonly roles: readonly ('VIEW' | 'REGISTER')[];
}

/** Inserts an agreement of a customer with its engagements, and returns its row. */
export async function openAgreement(
  ids: Ids,
  tx: Writer,
  wanted: { readonly ownerId: number; readonly name: string; readonly engagements: readonly NewEngagement[] },
): Promise<Agreement> {
  const { ownerId, name, engagements } = wanted;
  const agreement = await insertAgreement(tx, { resource_id: ids.uuid(), owner_id: ownerId, name, deleted_at: null });
  await engage(tx, agreement.id, engagements);
  return agreement;
}

/** Adds engagements to an agreement. The caller has checked that a PSU has only one on an account. */
export async function engage(tx: Writer, agreementId: number, engagements: readonly NewEngagement[]): Promise<void> {
  for (const { customerId, accountId, roles } of engagements) {
    await insertEngagement(tx, {
      agreement_id: agreementId,
      customer_id: customerId,
      account_id: accountId,
      may_view: flagFor(roles.includes('VIEW')),
      may_register: flagFor(roles.includes('REGISTER')),
    });
  }
}

/** What an engagement lets its PSU do. */
export function rolesOf(engaged: Pick<Row<'engagement'>, 'may_view' | 'may_register'>): ('VIEW' | 'REGISTER')[] {
  return [
    ...(engaged.may_view === 1 ? (['VIEW'] as const) : []),
    ...(engaged.may_register === 1 ? (['REGISTER'] as const) : []),
  ];
}

export interface CreateCustomer {
  /** The number that a PSU enters in SCA (rules.md D2). */
  readonly customerNumber: string;
  readonly name: string;
  readonly type: CustomerType;
  /** Whether the type was posted in capitals. By default it comes back in capitals (rules.md D6). */
  readonly isTypeInCapitals?: boolean;
}

/** Inserts a customer; a private one gets its own agreement (interface: POST /v1/sandbox/customers). */
export async function openCustomer(ids: Ids, tx: Writer, wanted: CreateCustomer): Promise<Customer> {
  const customer = await insertCustomer(tx, {
    resource_id: ids.resourceId(),
    customer_number: wanted.customerNumber,
    name: wanted.name,
    type: wanted.type,
    is_type_in_capitals: flagFor(wanted.isTypeInCapitals ?? true),
    deleted_at: null,
  });
  if (wanted.type === 'private') {
    await openAgreement(ids, tx, { ownerId: customer.id, name: wanted.name, engagements: [] });
  }
  return customer;
}

/**
 * Deletes a customer with its agreements (rules.md D2): its sessions end, and so do its engagements and everybody's
 * under its agreements. The rows of the customer and of its agreements stay, marked.
 */
export async function removeCustomer(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await endSessionsOf(tx, customerId, at);
  await deleteEngagements(tx, 'customer_id', customerId);
  await deleteEngagementsUnderOwner(tx, customerId);
  await markAgreementsDeleted(tx, 'owner_id', customerId, at);
  await markCustomerDeleted(tx, customerId, at);
}

/** Deletes an agreement with its engagements (rules.md D2). Its row stays, marked. */
export async function removeAgreement(tx: Writer, agreementId: number, at: Instant): Promise<void> {
  await deleteEngagements(tx, 'agreement_id', agreementId);
  await markAgreementsDeleted(tx, 'id', agreementId, at);
}

/** Ends every engagement on an account that is deleted (rules.md D2). An agreement without engagements stays. */
export async function endEngagementsOn(tx: Writer, { id }: { readonly id: number }): Promise<void> {
  await deleteEngagements(tx, 'account_id', id);
}

/** Gives the customers and agreements of another bank's seeded ledger ids of this bank. */
export async function adoptParties(ids: Ids, tx: Writer): Promise<void> {
  await renewResourceIds(tx, 'customer', ids.resourceId);
  await renewResourceIds(tx, 'agreement', ids.uuid);
}
