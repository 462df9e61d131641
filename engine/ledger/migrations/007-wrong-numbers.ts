import { sql, type Kysely } from 'kysely';

/** How many wrong national identity numbers were entered on the page of an SCA. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sca add column wrong_numbers integer not null default 0`.execute(db);
}
