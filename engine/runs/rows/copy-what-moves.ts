import { type RawBuilder, sql } from 'kysely';
import { entryDays } from '../../accounts/rows/entries.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { copyRows, copyTable, keysTable } from '../../ledger/queries.ts';
import type { Tables } from '../../ledger/tables.ts';
import type { InterestPeriod } from '../../life/rows/lives.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import { inParts } from '../../values/lists.ts';
import type { LocalDate } from '../../values/local-date.ts';

const whole = ['bank_state', 'customer', 'account', 'persona', 'life', 'reservation'] as const;

/** Tables with a column `payment_id`. */
const ofPayments = [
  'payment_initiation',
  'credit_transfer',
  'bulk_payment',
  'foreign_transfer',
  'standing_order',
  'execution',
  'provoked_rejection',
] as const;

/** What is copied. */
interface CopyTerms {
  /** The day of the last run of the copy. */
  readonly through: LocalDate;
  readonly interest: readonly InterestPeriod[];
  /** Maximum number of due executions to copy, those of the first days. Null copies all. */
  readonly most: number | null;
}

/**
 * Copies to an empty ledger what runs and lives read up to a day: state, accounts, lives, reservations, the payments that are due, and of the
 * entries only the sums of the days that interest is worked out from. What is booked is left out, however old the bank is.
 */
export async function copyWhatMoves(reader: Reader, tx: Writer, { through, interest, most }: CopyTerms): Promise<void> {
  for (const table of whole) await copyTable(reader, tx, table);
  await copyRows(reader, tx, 'life_mark', sql`select * from life_mark`);
  await copyRows(reader, tx, 'payment_return', sql`select * from payment_return where booked_at is null`);
  for (const keys of inParts(await paymentsThatMove(reader, through, most))) {
    const copy = (table: keyof Tables, column: string): Promise<unknown> =>
      copyRows(
        reader,
        tx,
        table,
        sql`select * from ${sql.table(table)} where ${sql.ref(column)} in ${keysTable(keys)}`,
      );
    await copy('payment', 'id');
    for (const table of ofPayments) await copy(table, 'payment_id');
    // A life pays a fee for each of these.
    await copyRows(reader, tx, 'attempt', rejectedAttempts(keys));
  }
  const periods = Map.groupBy(interest, ({ from }) => from);
  for (const [from, accounts] of periods) await copyRows(reader, tx, 'entry', dailySums(from, accounts));
}

/** The payments with an execution that a run tries up to a day, and the unfinished ones of lives, by key. */
async function paymentsThatMove(reader: Reader, through: LocalDate, most: number | null): Promise<number[]> {
  // With the sign SQLite finds what is open by its day. Without it, SQLite reads all executions in the order of their payments.
  const { rows } = await sql<{ id: number }>`
    select id from (select +payment_id as id from execution e where ${isOpen('e')} and execution_date <= ${through}
      order by execution_date limit ${most ?? -1})
    union select id from payment where debtor_account_id in (select account_id from life)
      and status <> 'ACSC' and status <> 'RJCT' and status <> 'CANC'`.execute(reader);
  return rows.map(({ id }) => id);
}

function rejectedAttempts(payments: readonly number[]): RawBuilder<unknown> {
  return sql`select * from attempt where outcome = 'reject'
    and execution_id in (select id from execution where payment_id in ${keysTable(payments)})`;
}

/** One entry for each account and day. */
function dailySums(from: LocalDate, accounts: readonly InterestPeriod[]): RawBuilder<unknown> {
  return sql`select account_id, sum(amount_minor) as amount_minor, 0 as direct_posting_id, booking_date, booking_date as value_date
    from entry where booking_day in ${entryDays({ from, to: null })} and account_id in ${keysTable(accounts.map(({ accountId }) => accountId))}
    group by account_id, booking_date having sum(amount_minor) <> 0`;
}

/** Number of executions that are due and received when a run takes place, counted up to `limit`. */
export async function countDue(reader: Reader, { date, at }: SettlementRun, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from
    (select 1 from execution e where ${isOpen('e')} and execution_date <= ${date} and received_at <= ${at}
      limit ${limit})`.execute(reader);
  return rows[0]?.count ?? 0;
}
