import { sql } from 'kysely';
import { rowsTable, type Writer } from './database.ts';
import type { Tables } from './tables.ts';

/** The tables whose rows have a resource id. */
type TableWithIds = {
  [Name in keyof Tables]: Tables[Name] extends { resource_id: string } ? Name : never;
}[keyof Tables];

/** Gives every row of a table a new resource id, in the order of their keys. */
export async function renewResourceIds(tx: Writer, table: TableWithIds, newId: () => string): Promise<void> {
  const name = sql.table(table);
  const { rows: keys } = await sql<{ readonly id: number }>`select id from ${name} order by id`.execute(tx);
  if (keys.length === 0) return;
  const rows = rowsTable(keys.map(({ id }) => [id, newId()]));
  await sql`update ${name} set resource_id = rows.c1 from ${rows} where rows.c0 = ${name}.id`.execute(tx);
}
