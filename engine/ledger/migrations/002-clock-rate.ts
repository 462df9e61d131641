import { sql, type Kysely } from 'kysely';

/** How many times as fast as the wall clock a running bank clock goes, and the instant of the wall clock from which it does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_state add column clock_rate integer not null default 1
    check (clock_rate between 1 and 86400)`.execute(db);
  await sql`alter table bank_state add column clock_since integer not null default 0`.execute(db);
}
