import { sql, type Kysely } from 'kysely';

/**
 * A periodic payment gets a row of what it transfers, as any other payment has: without a date, as its occurrences have their
 * own. It is domestic, so that its creditor is a Norwegian account and its amount is in øre. And two columns
 * get the names of what they count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credit_transfer alter column execution_date drop not null`.execute(db);
  await sql`insert into credit_transfer (payment_id, sequence, debtor_account_id, creditor_number, currency, amount_minor)
    select p.id, 0, p.debtor_account_id,
      coalesce(substr(replace(i.body ->> '$.creditorAccount.iban', ' ', ''), 5), i.body ->> '$.creditorAccount.bban'),
      i.body ->> '$.instructedAmount.currency',
      cast(replace(i.body ->> '$.instructedAmount.amount', '.', '') as integer)
    from payment p join payment_initiation i on i.payment_id = p.id
    where p.service = 'periodic-payments' order by p.id`.execute(db);
  await sql`alter table bank_state rename column unbooked_postings to unbooked_executions`.execute(db);
  await sql`alter table bank_state rename column agreements_to_close to ended_orders`.execute(db);
}
