import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { entriesOf, type Posting } from '../rules/entry.ts';
import { type Cell, flag, insertListed, insertMany, type Given, prepared } from '../../ledger/queries.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { groupAlike, inParts } from '../../values/lists.ts';
import { type Instant, osloDate } from '../../values/instant.ts';
import { earliestDate, epochDay, latestDate, type LocalDate } from '../../values/local-date.ts';

/** SQL condition on `entry`: a run after `now`, by the bank clock, books it (rules.md S6). */
export function isPending(now: Instant | RawBuilder<Instant>): RawBuilder<SqlBool> {
  return sql`entry.booked_at > ${now}`;
}

/** SQL condition on `entry`: not pending. */
export function isBooked(now: Instant | RawBuilder<Instant>): RawBuilder<SqlBool> {
  return sql`(${isPending(now)}) is not true`;
}

/** How many executions have entries that are pending at this instant. Reads the entries of that day and of later ones. */
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
 *  SQL number of an entry's transaction. After an initialize the keys of entries begin at 1 again, and these numbers go on (rules.md
 * D7).
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

/**
 * Writes the two entries of each posting. The caller updates the account balances with {@link saveBalances} in the same
 * transaction. Postings that share dates and cause are written in one statement.
 */
export async function insertPostings(tx: Writer, postings: readonly Posting[]): Promise<void> {
  for (const group of groupAlike(postings, sharedPart, shareParts)) {
    for (const some of inParts(group, postingsAtOnce)) await insertGroup(tx, some);
  }
}

/** Postings in one statement, so that rows are not built long before they are written. */
const postingsAtOnce = 4_000;

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

/** Writes the entries of direct postings one after the other, whatever their dates: the keys of entries tell their order. */
export async function insertInOrder(tx: Writer, postings: readonly Posting[]): Promise<void> {
  const rows = postings.flatMap((posting) =>
    rowsOf(posting).map((row): readonly Cell[] => [...row, posting.bookingDate, posting.valueDate]),
  );
  const columns = ['account_id', 'amount_minor', 'direct_posting_id', 'booking_date', 'value_date'] as const;
  await insertListed(tx, 'entry', columns, rows);
}

async function insertGroup(tx: Writer, postings: readonly Posting[]): Promise<void> {
  const [first] = postings;
  if (first === undefined) return;
  const { cause, bookingDate, valueDate, bookedAt, isFee, batchId } = first;
  const causeColumn = 'executionId' in cause ? 'execution_id' : 'direct_posting_id';
  const shared = { booking_date: bookingDate, value_date: valueDate, booked_at: bookedAt, is_fee: flag(isFee) };
  const columns = ['account_id', 'amount_minor', causeColumn] as const;
  if (batchId === null) return insertMany(tx, 'entry', columns, postings.flatMap(rowsOf), (row) => row, shared);
  // Only debits are shown as one batch.
  const inBatch = (row: readonly Cell[], index: number): readonly Cell[] => [...row, index % 2 === 0 ? batchId : null];
  await insertMany(tx, 'entry', [...columns, 'batch_id'], postings.flatMap(rowsOf), inBatch, shared);
}

/** The debit, then the credit. */
function rowsOf(posting: Posting): (readonly Cell[])[] {
  const { cause } = posting;
  const key = 'executionId' in cause ? cause.executionId : cause.directPostingId;
  const [debit, credit] = entriesOf(posting);
  return [
    [debit.accountId, debit.amount, key],
    [credit.accountId, credit.amount, key],
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

/** {@link entryDaysIn} of a period. */
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
