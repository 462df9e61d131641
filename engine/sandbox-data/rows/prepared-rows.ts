import { sql } from 'kysely';
import { rowsTable, type Writer } from '../../ledger/database.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** Gives every row of a table a new resource id, in the order of their keys. */
export async function renewResourceIds(
  tx: Writer,
  table: 'customer' | 'account' | 'card_account' | 'agreement',
  newId: () => string,
): Promise<void> {
  const keys = await tx.selectFrom(table).select('id').orderBy('id').execute();
  if (keys.length === 0) return;
  const rows = rowsTable(keys.map(({ id }) => [id, newId()]));
  const name = sql.table(table);
  await sql`update ${name} set resource_id = rows.c1 from ${rows} where rows.c0 = ${name}.id`.execute(tx);
}

/** Dates every entry. The trigger that protects entries is put back as it was. */
export async function redateEntries(tx: Writer, date: LocalDate): Promise<void> {
  const { rows } = await sql<{ readonly guard: string }>`
    select sql as guard from sqlite_schema where name = 'entry_is_never_changed'`.execute(tx);
  await sql`drop trigger entry_is_never_changed`.execute(tx);
  await tx.updateTable('entry').set({ booking_date: date, value_date: date }).execute();
  for (const { guard } of rows) await sql.raw(guard).execute(tx);
}

export async function removeBankState(tx: Writer): Promise<void> {
  await tx.deleteFrom('bank_state').execute();
}
