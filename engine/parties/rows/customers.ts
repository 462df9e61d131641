import type { Insertable, Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { keysTable } from '../../ledger/queries.ts';
import type { CustomerRow } from './tables.ts';

export type Customer = Selectable<CustomerRow>;

/** Inserts a customer and returns its row. */
export function insertCustomer(tx: Writer, customer: Insertable<CustomerRow>): Promise<Customer> {
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
