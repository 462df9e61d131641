import { sql, type Kysely } from 'kysely';

/**
 * What the control plane has rejected: a payment, an item of a bulk payment or an occurrence of a standing order, also one
 * that has no execution yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table provoked_rejection (
    payment_id integer not null references payment (id),
    sequence integer not null,
    reason text not null,
    primary key (payment_id, sequence)
  ) strict, without rowid`.execute(db);
}
