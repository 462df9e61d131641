import { sql, type Kysely } from 'kysely';

/** What the TPP sent leaves the row whose status every run changes: a run would write it again with each payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict`.execute(db);
  await sql`insert into payment_initiation (payment_id, body) select id, initiation from payment`.execute(db);
  await sql`alter table payment drop column initiation`.execute(db);
}
