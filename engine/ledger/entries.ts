import { sql } from 'kysely';
import { entriesOf, type Posting } from '../core/entry.ts';
import { rowsTable, type Transaction } from './database.ts';

/** Writes both lines of each posting. Account balances are kept by {@link saveBalances} in the same transaction. */
export async function insertPostings(tx: Transaction, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return;
  const rows = postings.flatMap((posting) => {
    const executionId = 'executionId' in posting.cause ? posting.cause.executionId : null;
    const directPostingId = 'directPostingId' in posting.cause ? posting.cause.directPostingId : null;
    return entriesOf(posting).map(({ accountId, amount }) => [
      accountId,
      amount,
      executionId,
      directPostingId,
      posting.bookingDate,
      posting.valueDate,
      posting.awaitsBookingSince,
    ]);
  });
  await sql`insert into entry (account_id, amount_minor, execution_id, direct_posting_id, booking_date, value_date,
      awaits_booking_since)
    select c0, c1, c2, c3, c4, c5, c6 from ${rowsTable(rows)}`.execute(tx);
}

/** Keeps the new running balances, in minor units by account. */
export async function saveBalances(tx: Transaction, balances: ReadonlyMap<number, bigint>): Promise<void> {
  if (balances.size === 0) return;
  await sql`update account set balance_minor = rows.c1
    from ${rowsTable([...balances])} where account.id = rows.c0`.execute(tx);
}
