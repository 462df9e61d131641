import { sql, type Kysely } from 'kysely';

/**
 * A run touches every page of the index of entries by account, so the day in it is a number of two or three bytes
 * instead of a text of ten. Of the executions that are due there is an index by day, which a balance needs anyway.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table entry add column booking_day integer
    generated always as (unixepoch(booking_date) / 86400) virtual`.execute(db);
  await sql`drop index entry_of_account`.execute(db);
  await sql`create index entry_of_account on entry (account_id, booking_day)`.execute(db);
  await sql`drop index execution_due_from_account`.execute(db);
}
