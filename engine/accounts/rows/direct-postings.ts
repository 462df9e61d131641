import { sql, type Insertable, type Selectable } from 'kysely';
import { inParts } from '../../values/lists.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { insertListed, prepared, rowsTable } from '../../ledger/queries.ts';
import { entryDays, entryOfTransaction } from './entries.ts';
import type { DirectPostingRow } from './tables.ts';

type DirectPosting = Selectable<DirectPostingRow>;

/** Inserts a direct posting without its entries and returns its row. */
export function insertDirectPosting(tx: Writer, posting: Insertable<DirectPostingRow>): Promise<DirectPosting> {
  return tx.insertInto('direct_posting').values(posting).returningAll().executeTakeFirstOrThrow();
}

const lastPosting = prepared((db: Reader) =>
  db.selectFrom('direct_posting').select(({ fn }) => fn.max('id').as('last')),
);

/** Inserts transactions with these details (JSON) and returns their keys, in the same order. */
export async function insertTransactions(tx: Writer, details: readonly string[]): Promise<number[]> {
  const [row] = await lastPosting(tx, {});
  const first = Number(row?.last ?? 0) + 1;
  const rows = details.map((each, index) => [first + index, 'transaction', each]);
  await insertListed(tx, 'direct_posting', ['id', 'kind', 'details'], rows);
  return details.map((_, index) => first + index);
}

/** The entry of a direct posting on its account: what a reversal needs. */
export interface DirectEntry {
  readonly postingId: number;
  /** Minor units, credit positive. */
  readonly amount: bigint;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
}

/** The mock transactions of an account that are not reversed; with a transaction number only that one. */
export function mockEntries(reader: Reader, accountId: number, wanted?: number): Promise<DirectEntry[]> {
  return directEntries(reader, accountId, 'transaction', wanted);
}

/** The opening balances of an account that are not reversed, from this booking date on. */
export async function openingEntries(reader: Reader, accountId: number, from: LocalDate): Promise<DirectEntry[]> {
  return (await directEntries(reader, accountId, 'opening')).filter(({ bookingDate }) => bookingDate >= from);
}

async function directEntries(
  reader: Reader,
  accountId: number,
  kind: DirectPostingRow['kind'],
  wanted?: number,
): Promise<DirectEntry[]> {
  const all = reader
    .selectFrom('entry')
    .innerJoin('direct_posting', 'direct_posting.id', 'entry.direct_posting_id')
    .select(['entry.direct_posting_id', 'entry.amount_minor', 'entry.booking_date', 'entry.value_date'])
    .where('entry.account_id', '=', accountId)
    .where('direct_posting.kind', '=', kind)
    .where('direct_posting.reversed_by', 'is', null)
    .orderBy('entry.id');
  const asked =
    wanted === undefined
      ? all.where('entry.booking_day', 'in', entryDays({ from: null, to: null }))
      : all.where('entry.id', '=', entryOfTransaction(wanted));
  const rows = await asked.execute();
  return rows.map((row) => ({
    postingId: Number(row.direct_posting_id),
    amount: row.amount_minor,
    bookingDate: row.booking_date,
    valueDate: row.value_date,
  }));
}

/** Stores reversals, as key of the reversed posting -> key of the reversal. Both are hidden then (rules.md S5). */
export async function markReversed(tx: Writer, reversals: ReadonlyMap<number, number>): Promise<void> {
  for (const some of inParts([...reversals])) {
    await sql`update direct_posting set reversed_by = rows.c1
      from ${rowsTable(some)} where direct_posting.id = rows.c0`.execute(tx);
  }
}

/** Replaces the details (JSON) of a mock transaction. Allowed, as they are not part of the entry. */
export async function saveDetails(tx: Writer, postingId: number, details: string): Promise<void> {
  await tx.updateTable('direct_posting').set({ details }).where('id', '=', postingId).execute();
}
