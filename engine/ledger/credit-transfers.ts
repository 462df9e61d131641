import { sql } from 'kysely';
import type { LocalDate } from '../core/local-date.ts';
import type { TransferLikeness } from '../core/logical-duplicate.ts';
import type { TransactionStatus } from '../core/transaction-status.ts';
import { rowsTable, type Reader, type Transaction } from './database.ts';
import { insertMany } from './insert-many.ts';

/** One transfer of a payment; `initiation` is the JSON of a bulk payment's item, else null. */
export interface NewCreditTransfer extends TransferLikeness {
  readonly initiation: string | null;
}

/** The transfers of one payment with the account and the day that they share. */
export interface DatedTransfers {
  readonly debtorAccountId: number;
  readonly executionDate: LocalDate;
  /** Numbered from 0. */
  readonly transfers: readonly NewCreditTransfer[];
}

export async function insertCreditTransfers(
  tx: Transaction,
  paymentId: number,
  { debtorAccountId, executionDate, transfers }: DatedTransfers,
): Promise<void> {
  await insertMany(
    tx,
    'credit_transfer',
    ['sequence', 'creditor_number', 'currency', 'amount_minor', 'initiation'],
    transfers,
    ({ creditorNumber, currency, amount, initiation }, sequence) => [
      sequence,
      creditorNumber,
      currency,
      amount,
      initiation,
    ],
    { payment_id: paymentId, debtor_account_id: debtorAccountId, execution_date: executionDate },
  );
}

/** A transfer that is there already, by the place of the one that is like it. */
export interface AlikeTransfer {
  readonly index: number;
  readonly resource_id: string;
  readonly tpp_id: string;
  readonly status: TransactionStatus;
}

/**
 * The first transfer on the ledger that each of these is like, for `limit` of them at most; rejected and cancelled ones
 * do not count (rules.md P7). The rows lead the join, so that each costs one look into the index, whatever the history.
 */
export async function alikeTransfers(
  reader: Reader,
  { debtorAccountId, executionDate, transfers }: DatedTransfers,
  limit: number,
): Promise<AlikeTransfer[]> {
  const [only, ...others] = transfers;
  const rows = transfers.map(({ creditorNumber, amount, currency }, index) => [
    index,
    creditorNumber,
    amount,
    currency,
  ]);
  const wanted =
    only !== undefined && others.length === 0
      ? sql`(select 0 as c0, ${only.creditorNumber} as c1, ${only.amount} as c2, ${only.currency} as c3) as rows`
      : rowsTable(rows);
  const { rows: found } = await sql<AlikeTransfer & { id: number }>`
    select rows.c0 as "index", min(t.id) as id, p.resource_id, p.tpp_id, p.status
    from ${wanted} cross join credit_transfer t
      on t.debtor_account_id = ${debtorAccountId} and t.execution_date = ${executionDate}
      and t.creditor_number = rows.c1 and t.amount_minor = rows.c2 and t.currency = rows.c3
    join payment p on p.id = t.payment_id
    where p.status not in ('RJCT', 'CANC') and not exists (select 1 from execution x
      where x.payment_id = t.payment_id and x.sequence = t.sequence and x.status in ('RJCT', 'CANC'))
    group by rows.c0 order by rows.c0 limit ${limit}`.execute(reader);
  return found;
}

/** How many transfers a payment has, and their sum in minor units. */
export async function bulkSum(reader: Reader, paymentId: number): Promise<{ count: number; total: bigint }> {
  const { count, total_minor: total } = await reader
    .selectFrom('credit_transfer')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<bigint>('amount_minor'), sql<bigint>`0`).as('total_minor'),
    ])
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return { count, total };
}

/** The items of a bulk payment as they were sent, each as JSON: all of them, or the first `limit`. */
export async function bulkItemsOf(reader: Reader, paymentId: number, limit = -1): Promise<string[]> {
  const rows = await reader
    .selectFrom('credit_transfer')
    .select('initiation')
    .where('payment_id', '=', paymentId)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.flatMap(({ initiation }) => (initiation === null ? [] : [initiation]));
}
