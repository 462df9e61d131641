import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Table } from './columns.ts';
import { type Reader, tables } from './tables.ts';

/** Whether the hash covers the ids that the bank created at random. */
export type HashedIds = 'included' | 'left-out';

/** The columns of each table that the hash covers, in order. */
export function hashedColumns(ids: HashedIds): Map<string, string[]> {
  const hashed = Object.entries<Table>(tables).map(([table, { columns }]) => {
    const counted = Object.entries(columns).filter(
      ([, { kind }]) => kind !== 'circumstance' && (kind !== 'drawn' || ids === 'included'),
    );
    return [table, counted.map(([name]) => name)] as const;
  });
  return new Map(hashed.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * SHA-256 over every row of every table, without wall-clock times and, if asked, without random ids; tables ordered by
 * name, rows by content. Two ledgers have the same hash if the same things happened in them at the same bank times.
 */
export async function contentHash(reader: Reader, ids: HashedIds): Promise<string> {
  const hash = createHash('sha256');
  for (const [table, counted] of hashedColumns(ids)) {
    hash.update(`${table} ${counted.join(' ')}\n`);
    const cells = sql.join(counted.map((column) => cell(table, column)));
    const rows = reader
      .selectFrom(sql<object>`${sql.table(table)}`.as('t'))
      .select(sql<string>`json_array(${cells})`.as('row'))
      // Orders by every hashed column, because the hash may leave out the key.
      .orderBy(cells)
      .stream();
    for await (const { row } of rows) hash.update(`${row}\n`);
  }
  return hash.digest('hex');
}

/**
 * Leaves out the value of a running clock, which depends on the wall clock (a frozen clock's value is bank time), and
 * the address of the bank's own page behind an SCA (rules.md A2i): it has the port and the name of the bank, and is
 * added to calls that have none.
 */
function cell(table: string, column: string): RawBuilder<unknown> {
  const own = sql.ref(column);
  if (column === 'tpp_redirect_uri') return sql`iif(${own} like '%/sandbox/landed', null, ${own})`;
  const isClock = table === 'bank_state' && column === 'clock_value';
  return isClock ? sql`iif(clock_mode = 'frozen', clock_value, null)` : own;
}
