import { sql } from 'kysely';
import { entriesOf, type Posting } from '../core/entry.ts';
import { flag } from './codec.ts';
import { rowsTable, type Transaction } from './database.ts';

/** Lines of one statement: bounds the text that carries them. */
const linesAtOnce = 10_000;

/** From so many entries on, the index of entries by account outgrows the page cache. */
const manyEntries = 1_000_000;

/**
 * Writes both lines of each posting. Account balances are kept by {@link saveBalances} in the same transaction.
 * Postings of the same dates are written together, their rows carry only what differs. In a large ledger the lines go in
 * by account: the index by account is then touched page after page, and each page once.
 */
export async function insertPostings(tx: Transaction, postings: readonly Posting[]): Promise<void> {
  const isLarge = (await lastEntry(tx)) >= manyEntries;
  for (const alike of Map.groupBy(postings, sharedPart).values()) await insertAlike(tx, alike, isLarge);
}

function sharedPart({ cause, bookingDate, valueDate, awaitsBookingSince, isFee, batchId }: Posting): string {
  const kind = 'executionId' in cause ? 'execution' : 'direct';
  return `${kind} ${bookingDate} ${valueDate} ${awaitsBookingSince} ${isFee} ${batchId}`;
}

async function insertAlike(tx: Transaction, postings: readonly Posting[], isLarge: boolean): Promise<void> {
  const [first] = postings;
  if (first === undefined) return;
  const { cause, bookingDate, valueDate, awaitsBookingSince, isFee, batchId } = first;
  const causeColumn = sql.ref('executionId' in cause ? 'execution_id' : 'direct_posting_id');
  const lines = postings.flatMap((posting) => {
    const key = 'executionId' in posting.cause ? posting.cause.executionId : posting.cause.directPostingId;
    return entriesOf(posting).map(({ accountId, amount }) => [accountId, amount, key] as const);
  });
  if (isLarge) lines.sort(([one], [other]) => one - other);
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    await sql`insert into entry
        (account_id, amount_minor, ${causeColumn}, booking_date, value_date, awaits_booking_since, is_fee, batch_id)
      select c0, c1, c2, ${bookingDate}, ${valueDate}, ${awaitsBookingSince}, ${flag(isFee)},
        case when c1 < 0 then ${batchId} end
      from ${rowsTable(lines.slice(start, start + linesAtOnce))}`.execute(tx);
  }
}

async function lastEntry(tx: Transaction): Promise<number> {
  const row = await tx
    .selectFrom('entry')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Keeps the new running balances, in minor units by account. */
export async function saveBalances(tx: Transaction, balances: ReadonlyMap<number, bigint>): Promise<void> {
  if (balances.size === 0) return;
  await sql`update account set balance_minor = rows.c1
    from ${rowsTable([...balances])} where account.id = rows.c0`.execute(tx);
}
