import { sql } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, keysTable, prepared, type RowFrom } from '../../ledger/queries.ts';

export type PsuContext = 'PRIVATE' | 'CORPORATE';

export type Customer = Row<'customer'>;

/** Inserts a customer and returns its row. */
export function insertCustomer(tx: Writer, customer: NewRow<'customer'>): Promise<Customer> {
  return tx.insertInto('customer').values(customer).returningAll().executeTakeFirstOrThrow();
}

/** Finds a customer that is not deleted by its customer number. */
export function customerByNumber(reader: Reader, customerNumber: string): Promise<Customer | undefined> {
  return liveCustomers(reader).where('customer_number', '=', customerNumber).executeTakeFirst();
}

/** Finds a customer that is not deleted by its resource id. */
export function findCustomer(reader: Reader, resourceId: string): Promise<Customer | undefined> {
  return liveCustomers(reader).where('resource_id', '=', resourceId).executeTakeFirst();
}

/** The private customers that are not deleted, the oldest first: those of the known state come first. */
export function firstPsus(reader: Reader, limit: number): Promise<Customer[]> {
  return liveCustomers(reader).where('type', '=', 'private').orderBy('id').limit(limit).execute();
}

/** The customer with this key, deleted or not. */
export function customerByKey(reader: Reader, id: number): Promise<Customer> {
  return reader.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** These customers, deleted or not, by key. */
export async function customersByKey(reader: Reader, ids: readonly number[]): Promise<Map<number, Customer>> {
  const found = await reader.selectFrom('customer').selectAll().where('id', 'in', keysTable(ids)).execute();
  return new Map(found.map((customer) => [customer.id, customer]));
}

/** All customers that are not deleted, the oldest first. */
export function customers(reader: Reader): Promise<Customer[]> {
  return liveCustomers(reader).orderBy('id').execute();
}

function liveCustomers(reader: Reader) {
  return reader.selectFrom('customer').selectAll().where('deleted_at', 'is', null);
}

/** Marks a customer as deleted at bank time `at`; its row stays. */
export async function markCustomerDeleted(tx: Writer, id: number, at: Instant): Promise<void> {
  await tx.updateTable('customer').set({ deleted_at: at }).where('id', '=', id).execute();
}

/** What a PSU may do with an account under an agreement, with the names of all three and of the agreement's owner. */
export type Engagement = RowFrom<typeof engagements>;

/** Gives a PSU its roles on an account under an agreement. */
export async function insertEngagement(tx: Writer, engagement: NewRow<'engagement'>): Promise<void> {
  await tx.insertInto('engagement').values(engagement).execute();
}

/**
 * The engagements under an agreement, those of some customers, or all; the oldest first. Deleting an agreement or an
 * account deletes its engagements (rules.md D2).
 */
export function engagements(
  reader: Reader,
  of: { readonly agreementId?: number; readonly customerIds?: readonly number[] } = {},
) {
  const { agreementId, customerIds } = of;
  return reader
    .selectFrom('engagement')
    .innerJoin('customer', 'customer.id', 'engagement.customer_id')
    .innerJoin('account', 'account.id', 'engagement.account_id')
    .innerJoin('agreement', 'agreement.id', 'engagement.agreement_id')
    .innerJoin('customer as owner', 'owner.id', 'agreement.owner_id')
    .selectAll('engagement')
    .select(['customer.customer_number', 'customer.name as customer_name', 'owner.customer_number as owner_number'])
    .select(['account.bban', 'account.iban', 'account.name as account_name'])
    .select(['agreement.resource_id as agreement_resource_id', 'agreement.name as agreement_name'])
    .$if(agreementId !== undefined, (found) => found.where('engagement.agreement_id', '=', agreementId ?? 0))
    .$if(customerIds !== undefined, (found) => found.where('engagement.customer_id', 'in', customerIds ?? []))
    .orderBy('engagement.id')
    .execute();
}

/** Whether this customer may register payments on the account under this agreement, or under any (rules.md A4). */
export async function mayRegister(
  reader: Reader,
  { customerId, accountId }: { readonly customerId: number; readonly accountId: number },
  agreementId: number | null = null,
): Promise<boolean> {
  const row = await reader
    .selectFrom('engagement')
    .innerJoin('agreement', 'agreement.id', 'engagement.agreement_id')
    .select('engagement.id')
    .where('engagement.customer_id', '=', customerId)
    .where('engagement.account_id', '=', accountId)
    .where('engagement.may_register', '=', 1)
    .where('agreement.deleted_at', 'is', null)
    .$if(agreementId !== null, (found) => found.where('agreement.id', '=', agreementId))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * For each agreement of another owner under which the customer has REGISTER on this account: the keys of all accounts
 * on which it has REGISTER under that agreement (rules.md A5).
 */
export async function payableByAgreement(
  reader: Reader,
  customerId: number,
  accountId: number,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await reader
    .selectFrom('engagement as debtor')
    .innerJoin('agreement', 'agreement.id', 'debtor.agreement_id')
    .innerJoin('engagement as other', 'other.agreement_id', 'debtor.agreement_id')
    .select(['other.agreement_id', 'other.account_id'])
    .where('debtor.customer_id', '=', customerId)
    .where('debtor.account_id', '=', accountId)
    .where('debtor.may_register', '=', 1)
    .where('other.customer_id', '=', customerId)
    .where('other.may_register', '=', 1)
    .where('agreement.owner_id', '!=', customerId)
    .where('agreement.deleted_at', 'is', null)
    .orderBy('other.agreement_id')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.agreement_id);
  return new Map([...groups].map(([id, members]) => [id, new Set(members.map((row) => row.account_id))]));
}

/** Deletes every engagement of a customer, under an agreement, or on an account (rules.md D2). */
export async function deleteEngagements(
  tx: Writer,
  of: 'customer_id' | 'agreement_id' | 'account_id',
  id: number,
): Promise<void> {
  await tx.deleteFrom('engagement').where(of, '=', id).execute();
}

/** Deletes everybody's engagements under the agreements that a customer owns (rules.md D2). */
export async function deleteEngagementsUnderOwner(tx: Writer, customerId: number): Promise<void> {
  const owned = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  await tx.deleteFrom('engagement').where('agreement_id', 'in', owned).execute();
}

export type Agreement = Row<'agreement'>;

/** An agreement with its owner, the customer who holds its accounts. */
export type OwnedAgreement = RowFrom<typeof ownedAgreements>;

/** Inserts an agreement and returns its row. */
export function insertAgreement(tx: Writer, agreement: NewRow<'agreement'>): Promise<Agreement> {
  return tx.insertInto('agreement').values(agreement).returningAll().executeTakeFirstOrThrow();
}

/**
 * Marks an agreement, or those of an owner, as deleted at bank time `at`: nobody acts under it any more (rules.md D2).
 */
export async function markAgreementsDeleted(tx: Writer, of: 'id' | 'owner_id', id: number, at: Instant): Promise<void> {
  const live = tx.updateTable('agreement').set({ deleted_at: at }).where('deleted_at', 'is', null);
  await live.where(of, '=', id).execute();
}

/** A private customer and the agreements it can act under: its own, then each corporate one where it is engaged. */
export interface ActingCustomer {
  readonly customer: Customer;
  readonly agreements: readonly OwnedAgreement[];
}

const agreementsToActUnder = prepared((db: Reader, { customerNumber }: Given<{ customerNumber: string }>) =>
  ownedAgreements(db)
    .innerJoin('customer as actor', (join) =>
      join.on((eb) =>
        eb.or([
          eb('agreement.owner_id', '=', eb.ref('actor.id')),
          eb('agreement.id', 'in', (engaged) =>
            engaged.selectFrom('engagement').select('agreement_id').whereRef('customer_id', '=', 'actor.id'),
          ),
        ]),
      ),
    )
    .select([
      'actor.id as actor_id',
      'actor.resource_id as actor_resource_id',
      'actor.name as actor_name',
      'actor.is_type_in_capitals',
    ])
    .where('actor.customer_number', '=', customerNumber)
    .where('actor.type', '=', sql.lit('private'))
    .where('actor.deleted_at', 'is', null),
);

/** Finds a private customer by its number, in one read: it always has a row, as it owns an agreement. */
export async function actingCustomer(reader: Reader, customerNumber: string): Promise<ActingCustomer | undefined> {
  const rows = await agreementsToActUnder(reader, { customerNumber });
  const [first] = rows;
  if (first === undefined) return undefined;
  const customer: Customer = {
    id: first.actor_id,
    resource_id: first.actor_resource_id,
    customer_number: customerNumber,
    name: first.actor_name,
    type: 'private',
    is_type_in_capitals: first.is_type_in_capitals,
    deleted_at: null,
  };
  const isOwn = (agreement: OwnedAgreement): boolean => agreement.owner_id === customer.id;
  return { customer, agreements: [...rows.filter(isOwn), ...rows.filter((agreement) => !isOwn(agreement))] };
}

/** The corporate agreements in which a customer has an engagement, and so can act. */
export function corporateAgreementsOf(reader: Reader, customerId: number): Promise<OwnedAgreement[]> {
  return ownedAgreements(reader)
    .where('owner.type', '=', 'corporate')
    .where('agreement.id', 'in', (eb) =>
      eb.selectFrom('engagement').select('agreement_id').where('customer_id', '=', customerId),
    )
    .execute();
}

/** All agreements: corporate ones, and those that private customers get when they are created. */
export function allAgreements(reader: Reader): Promise<OwnedAgreement[]> {
  return ownedAgreements(reader).execute();
}

/** Finds an agreement that is not deleted by its resource id, in either case. */
export function findAgreement(reader: Reader, resourceId: string): Promise<OwnedAgreement | undefined> {
  return ownedAgreements(reader).where('agreement.resource_id', '=', resourceId.toLowerCase()).executeTakeFirst();
}

/** A private customer owns exactly one agreement (interface: sandbox customers), a corporation any number. */
export function agreementsOfOwner(reader: Reader, ownerId: number): Promise<OwnedAgreement[]> {
  return ownedAgreements(reader).where('agreement.owner_id', '=', ownerId).execute();
}

function ownedAgreements(reader: Reader) {
  return reader
    .selectFrom('agreement')
    .innerJoin('customer as owner', 'owner.id', 'agreement.owner_id')
    .selectAll('agreement')
    .select(['owner.customer_number as owner_number', 'owner.name as owner_name', 'owner.type as owner_type'])
    .where('agreement.deleted_at', 'is', null)
    .orderBy('agreement.id');
}
