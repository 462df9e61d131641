import { type RawBuilder, sql } from 'kysely';
import { entryDays } from '../../accounts/rows/entries.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { copyRows, copyTable, keysTable } from '../../ledger/queries.ts';
import { type CopiedTables, tablesCopied } from '../../ledger/tables.ts';
import type { InterestPeriod } from '../../life/rows/lives.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import { inParts } from '../../values/lists.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** What is copied. */
interface CopyTerms {
  /** The day of the last run of the copy. */
  readonly through: LocalDate;
  readonly interest: readonly InterestPeriod[];
  /** Maximum number of due executions to copy, those of the first days. Null copies all. */
  readonly most: number | null;
}

/**
 * Copies to an empty ledger what runs and lives read up to a day: state, accounts, lives, reservations, the payments
 * that are due, and of the entries only the sums of the days that interest is worked out from. What is booked is left
 * out, however old the bank is.
 */
export async function copyWhatMoves(reader: Reader, tx: Writer, terms: CopyTerms): Promise<void> {
  for (const table of tablesCopied('all')) await copyTable(reader, tx, table);
  for (const keys of inParts(await paymentsThatMove(reader, terms))) {
    await copyRows(reader, tx, 'payment', sql`select * from payment where id in ${keysTable(keys)}`);
    for (const table of tablesCopied('due')) {
      await copyRows(reader, tx, table, sql`select * from ${sql.table(table)} where payment_id in ${keysTable(keys)}`);
    }
    // A life pays a fee for each of these.
    await copyRows(reader, tx, 'attempt', rejectedAttempts(keys));
  }
  for (const [table, rows] of Object.entries(rowsBeside(terms))) {
    for (const some of rows) await copyRows(reader, tx, table as keyof ReturnType<typeof rowsBeside>, some);
  }
}

/** The rows that are copied beside those of payments, of each table of which a forecast copies some. */
function rowsBeside({
  interest,
}: CopyTerms): Record<Exclude<CopiedTables<'some'>, 'payment' | 'attempt'>, RawBuilder<unknown>[]> {
  const periods = Map.groupBy(interest, ({ from }) => from);
  return {
    life_mark: [sql`select * from life_mark`],
    payment_return: [sql`select * from payment_return where booked_at is null`],
    entry: [...periods].map(([from, accounts]) => dailySums(from, accounts)),
  };
}

/** The payments with an execution that a run tries up to a day, and the unfinished ones of lives, by key. */
async function paymentsThatMove(reader: Reader, { through, most }: CopyTerms): Promise<number[]> {
  // With the sign SQLite finds what is open by its day. Without it, SQLite reads all executions in the order of their
  // payments.
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
