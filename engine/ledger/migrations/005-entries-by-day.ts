import { sql, type Kysely } from 'kysely';

/**
 * The index of entries by account begins with the booking day: a run then writes to the part of its own day only, and takes
 * no longer after years.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index entry_of_account`.execute(db);
  await sql`create index entry_of_account on entry (booking_day, account_id)`.execute(db);
}
