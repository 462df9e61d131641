import { sql, type Kysely } from 'kysely';

/**
 * An attempt keeps why it was rejected where the funds do not tell. Two indexes find closed accounts by their numbers: every run
 * asks for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempt add column reason text`.execute(db);
  await sql`create index account_bban_closed on account (bban) where closed_at is not null and bban is not null`.execute(
    db,
  );
  await sql`create index account_iban_closed on account (iban) where closed_at is not null and iban is not null`.execute(
    db,
  );
}
