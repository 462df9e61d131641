import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { entriesOf, type Posting } from '../rules/entry.ts';
import { type Cell, flag } from '../../ledger/codec.ts';
import { rowsTable, type Writer } from '../../ledger/database.ts';
import { insertMany } from '../../ledger/insert-many.ts';
import { inParts } from '../../values/in-parts.ts';
import { earliestDate, epochDay, latestDate, type LocalDate } from '../../values/local-date.ts';

/** An `entry` is pending until a run after the instant since which it waits has passed (rules.md S6). */
export const isPending: RawBuilder<SqlBool> = sql`entry.awaits_booking_since >= (select last_run_at from bank_state)`;

/** What is not pending is booked, also what never waited. */
export const isBooked: RawBuilder<SqlBool> = sql`(${isPending}) is not true`;

/**
 * Writes both lines of each posting. Account balances are kept by {@link saveBalances} in the same transaction.
 * Postings of the same dates are written together, their rows carry only what differs.
 */
export async function insertPostings(tx: Writer, postings: readonly Posting[]): Promise<void> {
  for (const alike of Map.groupBy(postings, sharedPart).values()) {
    for (const some of inParts(alike, postingsAtOnce)) await insertAlike(tx, some);
  }
}

/** The most that one statement takes, so that no rows are made long before they are written. */
const postingsAtOnce = 4_000;

function sharedPart({ cause, bookingDate, valueDate, awaitsBookingSince, isFee, batchId }: Posting): string {
  const kind = 'executionId' in cause ? 'execution' : 'direct';
  return `${kind} ${bookingDate} ${valueDate} ${awaitsBookingSince} ${isFee} ${batchId}`;
}

async function insertAlike(tx: Writer, postings: readonly Posting[]): Promise<void> {
  const [first] = postings;
  if (first === undefined) return;
  const { cause, bookingDate, valueDate, awaitsBookingSince, isFee } = first;
  const causeColumn = 'executionId' in cause ? 'execution_id' : 'direct_posting_id';
  const columns = ['account_id', 'amount_minor', causeColumn, 'batch_id'] as const;
  await insertMany(tx, 'entry', columns, postings.flatMap(rowsOf), (row) => row, {
    booking_date: bookingDate,
    value_date: valueDate,
    awaits_booking_since: awaitsBookingSince,
    is_fee: flag(isFee),
  });
}

function rowsOf(posting: Posting): (readonly Cell[])[] {
  const { cause, batchId } = posting;
  const key = 'executionId' in cause ? cause.executionId : cause.directPostingId;
  // Only a debit shows its batch.
  return entriesOf(posting).map(({ accountId, amount }) => [accountId, amount, key, amount < 0n ? batchId : null]);
}

/** Keeps the new running balances, in minor units by account. */
export async function saveBalances(tx: Writer, balances: ReadonlyMap<number, bigint>): Promise<void> {
  for (const some of inParts([...balances])) {
    await sql`update account set balance_minor = rows.c1
      from ${rowsTable(some)} where account.id = rows.c0`.execute(tx);
  }
}

/** Booking dates, both inclusive; null leaves that end open. */
export interface Period {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/**
 * The days of the period on which any account has entries, for `entry.booking_day in`: the index by account begins with the
 * day (docs/decisions/0018), so that whoever asks for an account names the days. SQLite goes through them in their order.
 */
export function entryDays({ from, to }: Period): RawBuilder<number> {
  const first = epochDay(from ?? earliestDate);
  const last = epochDay(to ?? latestDate);
  return sql`(with recursive day (number) as (
      select max(booking_day) from entry where booking_day between ${first} and ${last}
      union all
      select (select max(booking_day) from entry where booking_day between ${first} and day.number - 1) from day
        where day.number is not null)
    select number from day where number is not null)`;
}
