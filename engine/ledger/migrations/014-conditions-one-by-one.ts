import { sql, type Kysely } from 'kysely';

/**
 * Conditions on a status or an outcome compare it with one value after the other. For a list of more than two values SQLite fills a table
 * of its own each time it checks a row, in a check and in the condition of an index: half of what it takes to change the row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index execution_due`.execute(db);
  await sql`drop index payment_unfinished`.execute(db);
  await checkOneByOne(db, 'execution', 'status', ['ACSP', 'PDNG', 'ACCP', 'ACSC', 'RJCT', 'CANC']);
  await checkOneByOne(db, 'attempt', 'outcome', ['settle', 'retry', 'reject']);
  await sql`create index execution_due on execution (execution_date, authorised_at, nominal_date, id)
    where status = 'ACSP' or status = 'PDNG' or status = 'ACCP'`.execute(db);
  await sql`create index payment_unfinished on payment (debtor_account_id)
    where status <> 'ACSC' and status <> 'RJCT' and status <> 'CANC'`.execute(db);
}

/** Replaces a column by one with another check: SQLite cannot change it, as it has no name. */
async function checkOneByOne(db: Kysely<unknown>, table: string, column: string, values: string[]): Promise<void> {
  const check = values.map((value) => `${column} = '${value}'`).join(' or ');
  for (const text of [
    `alter table ${table} rename column ${column} to before`,
    `alter table ${table} add column ${column} text check (${check})`,
    `update ${table} set ${column} = before`,
    `alter table ${table} alter column ${column} set not null`,
    `alter table ${table} drop column before`,
  ]) {
    await sql.raw(text).execute(db);
  }
}
