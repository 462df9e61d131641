import { sql, type Kysely } from 'kysely';

/** The secret that cursors of lists are sealed with (rules.md A9c). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_state add column list_key text not null default ''`.execute(db);
  await sql`update bank_state set list_key = lower(hex(randomblob(32)))`.execute(db);
}
