import { sql, type Kysely } from 'kysely';

/**
 * The index of entries by account begins with the month of their booking date: a run then writes to the part of this
 * month only, and takes no longer after years. The month is a number, as in core/month-number.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table entry add column booking_month integer
    generated always as (substr(booking_date, 1, 4) * 12 + substr(booking_date, 6, 2) - 1) virtual`.execute(db);
  await sql`drop index entry_of_account`.execute(db);
  await sql`create index entry_of_account on entry (booking_month, account_id, booking_day)`.execute(db);
}
