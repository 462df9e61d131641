import { sql, type Kysely } from 'kysely';

/** Lists that a run checks for each row, and what stands in their place; the longest first, as a shorter one begins a longer. */
export const lists = [
  [
    `status in ('ACSP', 'PDNG', 'ACCP', 'ACSC', 'RJCT', 'CANC')`,
    `status = 'ACSP' or status = 'PDNG' or status = 'ACCP' or status = 'ACSC' or status = 'RJCT' or status = 'CANC'`,
  ],
  [`status in ('ACSP', 'PDNG', 'ACCP')`, `status = 'ACSP' or status = 'PDNG' or status = 'ACCP'`],
  [`status not in ('ACSC', 'RJCT', 'CANC')`, `status <> 'ACSC' and status <> 'RJCT' and status <> 'CANC'`],
  [`outcome in ('settle', 'retry', 'reject')`, `outcome = 'settle' or outcome = 'retry' or outcome = 'reject'`],
] as const;

/**
 * Conditions on a status or an outcome compare it with one value after the other. For a list of more than two values SQLite fills a table
 * of its own each time it checks a row, in a check and in the condition of an index: half of what it takes to change the row.
 *
 * As they mean the same, no row and no index changes, and only their text is written anew, as https://sqlite.org/lang_altertable.html
 * describes it for a check: a column that is made again would stand last, and the ids that a seed gives follow from the order of columns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ readonly schema_version: number }>`pragma schema_version`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('the ledger has no schema version');
  await sql`pragma writable_schema = on`.execute(db);
  for (const [list, oneByOne] of lists) {
    const { numAffectedRows } = await sql`update sqlite_schema set sql = replace(sql, ${list}, ${oneByOne})
      where instr(sql, ${list}) > 0`.execute(db);
    if (numAffectedRows !== 1n) throw new Error(`${numAffectedRows} conditions are ${list}, and not one`);
  }
  // Other connections, and then this one, read the tables again.
  await sql.raw(`pragma schema_version = ${found.schema_version + 1}`).execute(db);
  await sql`pragma writable_schema = reset`.execute(db);
}
