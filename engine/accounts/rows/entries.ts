import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { entriesOf, type Posting } from '../rules/entry.ts';
import {
  type Cell,
  flagFor,
  insertInOrder,
  insertMany,
  insertRow,
  type Given,
  prepared,
  rowsIn,
} from '../../ledger/queries.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import { groupAlike, inParts } from '../../values/lists.ts';
import { type Instant, osloDate } from '../../values/instant.ts';
import { earliestDate, epochDay, latestDate, type LocalDate } from '../../values/local-date.ts';
import type { TransactionDetails } from '../rules/transaction-details.ts';

/** SQL condition on `entry`: a run after `now`, by the bank clock, books it (rules.md S6). */
export function isPending(now: Instant | RawBuilder<Instant>): RawBuilder<SqlBool> {
  return sql`entry.booked_at > ${now}`;
}

/** SQL condition on `entry`: not pending. */
export function isBooked(now: Instant | RawBuilder<Instant>): RawBuilder<SqlBool> {
  return sql`(${isPending(now)}) is not true`;
}

/**
 * How many executions have entries that are pending at this instant. Reads the entries of that day and of later ones.
 */
export async function countPendingExecutions(reader: Reader, at: Instant): Promise<number> {
  const { count } = await reader
    .selectFrom('entry')
    .select((eb) => eb.fn.count<number>('execution_id').distinct().as('count'))
    .where('booking_day', '>=', epochDay(osloDate(at)))
    .where(isPending(at))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * SQL number of an entry's transaction. After an initialize the keys of entries begin at 1 again, and these numbers go
 * on (rules.md D7).
 */
export const transactionNumber: RawBuilder<number> = sql`(entry.id + (select entries_before from bank_state))`;

/** SQL key of the entry that has this {@link transactionNumber}. */
export function entryOfTransaction(wanted: number | RawBuilder<number>): RawBuilder<number> {
  return sql`(${wanted} - (select entries_before from bank_state))`;
}

const selectLastNumber = prepared((db: Reader) => {
  const last = sql<number>`coalesce((select max(id) from entry), 0) + (select entries_before from bank_state)`;
  return db.selectNoFrom(last.as('number'));
});

/** The highest {@link transactionNumber} so far; 0 before the first. */
export async function lastTransactionNumber(reader: Reader): Promise<number> {
  const [row] = await selectLastNumber(reader, {});
  return Number(row?.number ?? 0);
}

/** The key of the last entry; 0: there is none. */
export async function lastEntry(reader: Reader): Promise<number> {
  const { id } = await reader
    .selectFrom('entry')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

/**
 * Writes the two entries of each posting. The caller updates the account balances with {@link saveBalances} in the same
 * transaction. Postings that share dates and cause are written in one statement.
 */
export async function insertPostings(tx: Writer, postings: readonly Posting[]): Promise<void> {
  for (const group of groupAlike(postings, sharedPart, shareParts)) {
    // A part is one statement: rows are not built long before they are written.
    for (const some of inParts(group)) await insertGroup(tx, some);
  }
}

function shareParts(one: Posting, other: Posting): boolean {
  return (
    'executionId' in one.cause === 'executionId' in other.cause &&
    one.bookingDate === other.bookingDate &&
    one.valueDate === other.valueDate &&
    one.bookedAt === other.bookedAt &&
    one.isFee === other.isFee &&
    one.batchId === other.batchId
  );
}

function sharedPart({ cause, bookingDate, valueDate, bookedAt, isFee, batchId }: Posting): string {
  const kind = 'executionId' in cause ? 'execution' : 'direct';
  return `${kind} ${bookingDate} ${valueDate} ${bookedAt} ${isFee} ${batchId}`;
}

/**
 * Writes the entries of direct postings one after the other, whatever their dates: the keys of entries tell their
 * order.
 */
export async function insertPostingsInOrder(tx: Writer, postings: readonly Posting[]): Promise<void> {
  const columns = ['account_id', 'amount_minor', 'direct_posting_id', 'booking_date', 'value_date'] as const;
  const rows = postings.flatMap((posting) => entryRows(posting, [posting.bookingDate, posting.valueDate]));
  await insertInOrder(tx, 'entry', { columns, count: rows.length, rowOf: (index) => rows[index] ?? [] });
}

async function insertGroup(tx: Writer, postings: readonly Posting[]): Promise<void> {
  const [first] = postings;
  if (first === undefined) return;
  const { cause, bookingDate, valueDate, bookedAt, isFee, batchId } = first;
  const causeColumn = 'executionId' in cause ? 'execution_id' : 'direct_posting_id';
  const shared = { booking_date: bookingDate, value_date: valueDate, booked_at: bookedAt, is_fee: flagFor(isFee) };
  const columns = ['account_id', 'amount_minor', causeColumn] as const;
  const rows = postings.flatMap((posting) => entryRows(posting));
  if (batchId === null) return insertMany(tx, 'entry', { columns, items: rows, rowOf: (row) => row, shared });
  // Only debits are shown as one batch.
  const inBatch = (row: readonly Cell[], index: number): readonly Cell[] => [...row, index % 2 === 0 ? batchId : null];
  await insertMany(tx, 'entry', { columns: [...columns, 'batch_id'], items: rows, rowOf: inBatch, shared });
}

/** The debit, then the credit. `more`: cells that both have. */
function entryRows(posting: Posting, more: readonly Cell[] = []): (readonly Cell[])[] {
  const { cause } = posting;
  const key = 'executionId' in cause ? cause.executionId : cause.directPostingId;
  const [debit, credit] = entriesOf(posting);
  return [
    [debit.accountId, debit.amount, key, ...more],
    [credit.accountId, credit.amount, key, ...more],
  ];
}

const updateBalances = prepared(
  (_tx: Writer, { balances }: Given<{ balances: string }>) =>
    sql`update or fail account set balance_minor = value from json_each(${balances}) where account.id = key`,
);

/** Stores new account balances: minor units by account key. */
export async function saveBalances(tx: Writer, balances: ReadonlyMap<number, bigint>): Promise<void> {
  for (const some of inParts([...balances])) {
    const members = some.map(([account, balance]) => `"${account}":${balance}`);
    await updateBalances(tx, { balances: `{${members.join(',')}}` });
  }
}

/** A range of booking dates, both inclusive; null leaves that end open. */
export interface Period {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/** A {@link Period} as days since 1970. */
export interface DaysOfPeriod {
  readonly first: number;
  readonly last: number;
}

export function daysOf({ from, to }: Period): DaysOfPeriod {
  return { first: epochDay(from ?? earliestDate), last: epochDay(to ?? latestDate) };
}

export function entryDays(period: Period): RawBuilder<number> {
  return entryDaysIn(daysOf(period));
}

/**
 * SQL list for `entry.booking_day in`: the days of the period on which any account has entries. The index by account
 * begins with the day (docs/decisions/0018), so every query for an account must name days; SQLite reads them in order.
 */
export function entryDaysIn({ first, last }: DaysOfPeriod | Given<DaysOfPeriod>): RawBuilder<number> {
  return sql`(with recursive day (number) as (
      select max(booking_day) from entry where booking_day between ${first} and ${last}
      union all
      select (select max(booking_day) from entry where booking_day between ${first} and day.number - 1) from day
        where day.number is not null)
    select number from day where number is not null)`;
}

/** Sets the dates of every entry. Drops the trigger that protects entries, and creates it again. */
export async function redateEntries(tx: Writer, date: LocalDate): Promise<void> {
  const { rows } = await sql<{ readonly guard: string }>`
    select sql as guard from sqlite_schema where name = 'entry_is_never_changed'`.execute(tx);
  await sql`drop trigger entry_is_never_changed`.execute(tx);
  await tx.updateTable('entry').set({ booking_date: date, value_date: date }).execute();
  for (const { guard } of rows) await sql.raw(guard).execute(tx);
}

/** Inserts a direct posting without its entries and returns its key. */
export function insertDirectPosting(tx: Writer, posting: NewRow<'direct_posting'>): Promise<number> {
  return insertRow(tx, 'direct_posting', posting);
}

/**
 * Inserts transactions with these details and events under one key after the other, and returns the first of these
 * keys.
 */
export function insertTransactions(
  tx: Writer,
  transactions: readonly { readonly details: TransactionDetails; readonly event?: string }[],
): Promise<number> {
  const rowOf = (index: number): readonly Cell[] => {
    const { details, event = null } = transactions[index] ?? {};
    return ['transaction', JSON.stringify(details), event];
  };
  return insertInOrder(tx, 'direct_posting', {
    columns: ['kind', 'details', 'event'],
    count: transactions.length,
    rowOf,
  });
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
  kind: Row<'direct_posting'>['kind'],
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

const markAll = prepared(
  (_tx: Writer, { reversals }: Given<{ reversals: string }>) =>
    sql`update direct_posting set reversed_by = rows.c1 from ${rowsIn(reversals, 2)} where direct_posting.id = rows.c0`,
);

/** Stores reversals, as key of the reversed posting -> key of the reversal. Both are hidden then (rules.md S5). */
export async function markReversed(tx: Writer, reversals: ReadonlyMap<number, number>): Promise<void> {
  for (const some of inParts([...reversals])) {
    await markAll(tx, { reversals: JSON.stringify(some) });
  }
}

/** Replaces the details (JSON) of a mock transaction. Allowed, as they are not part of the entry. */
export async function saveDetails(tx: Writer, postingId: number, details: string): Promise<void> {
  await tx.updateTable('direct_posting').set({ details }).where('id', '=', postingId).execute();
}

/** A transfer of a bulk payment that settles. */
export interface BatchItem {
  readonly paymentId: number;
  readonly executionId: number;
  /** Minor units. */
  readonly amount: bigint;
}

/**
 * Adds transfers to the batch of their bulk payment in a run; the first ones create the batch, and the first of these
 * represents it. Returns the batch's key.
 */
export async function addToBatch(
  tx: Writer,
  items: readonly [BatchItem, ...BatchItem[]],
  runAt: Instant,
): Promise<number> {
  const [{ paymentId, executionId }] = items;
  const amount = items.reduce((sum, item) => sum + item.amount, 0n);
  const { id } = await tx
    .insertInto('batch')
    .values({
      payment_id: paymentId,
      run_at: runAt,
      leading_execution_id: executionId,
      number_of_transactions: items.length,
      amount_minor: amount,
    })
    .onConflict((conflict) =>
      conflict.columns(['payment_id', 'run_at']).doUpdateSet((eb) => ({
        number_of_transactions: eb('batch.number_of_transactions', '+', items.length),
        amount_minor: eb('batch.amount_minor', '+', amount),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The transfers of a batch, in the order of the bulk payment's items: each debit (negative), and the JSON of the item
 * as sent.
 */
export function transfersOfBatch(reader: Reader, batchId: number) {
  return reader
    .selectFrom('entry')
    .innerJoin('execution', 'execution.id', 'entry.execution_id')
    .innerJoin('credit_transfer', (join) =>
      join
        .onRef('credit_transfer.payment_id', '=', 'execution.payment_id')
        .onRef('credit_transfer.sequence', '=', 'execution.sequence'),
    )
    .select(['entry.amount_minor', 'credit_transfer.initiation'])
    .where('entry.batch_id', '=', batchId)
    .orderBy('execution.sequence')
    .execute();
}

/**
 * When what an execution moved is booked, and whether an account of this bank was credited. Undefined means that it
 * moved nothing.
 */
export async function settlementOf(
  reader: Reader,
  executionId: number,
): Promise<{ readonly bookedOn: LocalDate; readonly isInside: boolean } | undefined> {
  const entries = await reader
    .selectFrom('entry')
    .innerJoin('account', 'account.id', 'entry.account_id')
    .select(['entry.booking_date', 'entry.amount_minor', 'account.kind'])
    .where('entry.execution_id', '=', executionId)
    .where('entry.is_fee', '=', 0)
    .execute();
  const [first] = entries;
  if (first === undefined) return undefined;
  const isInside = entries.some(({ kind, amount_minor: amount }) => kind === 'customer' && amount > 0n);
  return { bookedOn: first.booking_date, isInside };
}

/** Takes the events of a life from what it posted on an account. */
export async function deleteEvents(tx: Writer, accountId: number): Promise<void> {
  await sql`update direct_posting set event = null where event is not null
    and id in (select direct_posting_id from entry where account_id = ${accountId} and direct_posting_id is not null)`.execute(
    tx,
  );
}
