import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { bankTables, type Reader } from './database.ts';

/** Whether the hash covers the ids that the bank created at random. */
export type HashedIds = 'included' | 'left-out';

/** Columns that depend on the wall clock or on the host name, not on a command. */
const circumstances = [
  'status_change.wall',
  'sca.created_at_wall',
  'bank_state.clock_since',
  'bank_state.clock_seen',
  'settlement_run.trigger',
  'settlement_run.late_ms',
  // A read changes no hash.
  'consent.used_on',
  // Random, without effect on anything else.
  'bank_state.list_key',
  // A setting, as those of the start are.
  'bank_state.quirks',
  // A name or a path, and a hash of the content of other tables.
  'bank_state.fixtures',
  'bank_state.known_state_hash',
  'bank_state.profile',
  // It orders them only, and counts on from the last one that is left.
  'reservation.id',
  // The answer contains the host name of the request.
  'first_answer.answer',
] as const;

/** Columns with ids or a key from engine/bank/ids.ts, or request ids of a TPP. No row refers to another row by them. */
const drawnIds = [
  'customer.resource_id',
  'account.resource_id',
  'agreement.resource_id',
  'card_account.resource_id',
  'card_transaction.card_transaction_id',
  'reservation.resource_id',
  'payment.resource_id',
  'signing_basket.resource_id',
  'sca.resource_id',
  'psu.psu_id',
  'unattended_read.account_id',
  'first_answer.request_id',
  // transactionIds count up from this value (rules.md D7).
  'bank_state.entries_before',
  'bank_state.wire_key',
  'first_answer.sca_resource_id',
  // It contains the id of the payment or basket.
  'first_answer.path',
] as const;

export const leftOut: Readonly<Record<HashedIds, readonly string[]>> = {
  included: circumstances,
  'left-out': [...circumstances, ...drawnIds],
};

/**
 * SHA-256 over every row of every table, without wall-clock times and, if asked, without random ids; tables ordered by
 * name, rows by content. Two ledgers have the same hash if the same things happened in them at the same bank times.
 */
export async function contentHash(reader: Reader, ids: HashedIds): Promise<string> {
  const hash = createHash('sha256');
  for (const [table, columns] of await columnsOf(reader)) {
    const counted = columns.filter((column) => !leftOut[ids].includes(`${table}.${column}`));
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

/** Leaves out the value of a running clock: it depends on the wall clock. A frozen clock's value is bank time. */
function cell(table: string, column: string): RawBuilder<unknown> {
  const isClock = table === 'bank_state' && column === 'clock_value';
  return isClock ? sql`iif(clock_mode = 'frozen', clock_value, null)` : sql`${sql.ref(column)}`;
}

/** Columns of each table, by table name. */
async function columnsOf(reader: Reader): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ readonly table: string; readonly column: string }>`
    select m.name as "table", c.name as "column" from ${bankTables} m join pragma_table_info(m.name) c
    order by m.name, c.cid`.execute(reader);
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
}
