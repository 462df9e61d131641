import { sql, type Kysely } from 'kysely';

/**
 * From where transaction numbers count on after an initialize; whether the type of a customer was posted in capitals, as those
 * of the known state are shown; and card transactions with the sign of the vendor's scripts: a purchase is positive, so that the
 * balance of a card stays what it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_state add column entries_before integer not null default 0`.execute(db);
  await sql`alter table customer add column is_type_in_capitals integer not null default 1
    check (is_type_in_capitals in (0, 1))`.execute(db);
  await sql`update card_transaction set amount_minor = -amount_minor, original_minor = -original_minor`.execute(db);
}
