import type { Insertable, Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Customer } from './customers.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import type { AgreementRow } from './tables.ts';

export type Agreement = Selectable<AgreementRow>;

/** An agreement with its owner, the customer who holds its accounts. */
export type OwnedAgreement = Agreement & {
  readonly owner_number: string;
  readonly owner_name: string;
  readonly owner_type: CustomerType;
};

/** Inserts an agreement and returns its row. */
export function insertAgreement(tx: Writer, agreement: Insertable<AgreementRow>): Promise<Agreement> {
  return tx.insertInto('agreement').values(agreement).returningAll().executeTakeFirstOrThrow();
}

/** Marks an agreement, or those of an owner, as deleted at bank time `at`: nobody acts under it any more (rules.md D2). */
export async function markAgreementsDeleted(tx: Writer, of: 'id' | 'owner_id', id: number, at: Instant): Promise<void> {
  const live = tx.updateTable('agreement').set({ deleted_at: at }).where('deleted_at', 'is', null);
  await live.where(of, '=', id).execute();
}

/** A private customer and the agreements it can act under: its own, then each corporate one where it is engaged. */
export interface ActingCustomer {
  readonly customer: Customer;
  readonly agreements: readonly OwnedAgreement[];
}

/** Finds a private customer by its number, in one read: it always has a row, as it owns an agreement. */
export async function actingCustomer(reader: Reader, customerNumber: string): Promise<ActingCustomer | undefined> {
  const rows = await ownedAgreements(reader)
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
    .where('actor.type', '=', 'private')
    .where('actor.deleted_at', 'is', null)
    .execute();
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
export function agreements(reader: Reader): Promise<OwnedAgreement[]> {
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
