import { sql } from 'kysely';
import type { LocalDate } from '../../values/local-date.ts';
import type { DuplicateKey } from '../rules/logical-duplicate.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import { rowsTable, type Reader, type Writer } from '../../ledger/database.ts';
import { insertMany } from '../../ledger/insert-many.ts';

/** One transfer of a payment; `item` is what was sent for it in a bulk payment, else null. */
export interface NewCreditTransfer extends DuplicateKey {
  readonly item: object | null;
}

/** The account and the day that the transfers of one payment share; no day: each occurrence has its own. */
export interface TransferOrigin {
  readonly debtorAccountId: number;
  readonly executionDate: LocalDate | null;
}

/** Keeps what a payment transfers, in the order of its body. */
export async function insertCreditTransfers(
  tx: Writer,
  paymentId: number,
  { debtorAccountId, executionDate }: TransferOrigin,
  transfers: readonly NewCreditTransfer[],
): Promise<void> {
  await insertMany(
    tx,
    'credit_transfer',
    ['sequence', 'creditor_number', 'currency', 'amount_minor', 'initiation'],
    transfers,
    ({ creditorNumber, amount, item }, sequence) => [
      sequence,
      creditorNumber,
      amount.currency,
      amount.minor,
      item === null ? null : JSON.stringify(item),
    ],
    { payment_id: paymentId, debtor_account_id: debtorAccountId, execution_date: executionDate },
  );
}

/** A transfer that is there already, by the place of the one with the same key. */
export interface DuplicateTransfer {
  readonly index: number;
  readonly resource_id: string;
  readonly tpp_id: string;
  readonly status: TransactionStatus;
}

/**
 * The first transfer on the ledger with the key of each of these, for `limit` of them at most; rejected and cancelled ones
 * do not count (rules.md P7). The rows lead the join, so that each costs one look into the index, whatever the history.
 */
export async function duplicateTransfers(
  reader: Reader,
  { debtorAccountId, executionDate }: TransferOrigin,
  transfers: readonly DuplicateKey[],
  limit: number,
): Promise<DuplicateTransfer[]> {
  const rows = transfers.map(({ creditorNumber, amount }, index) => [
    index,
    creditorNumber,
    amount.minor,
    amount.currency,
  ]);
  const { rows: found } = await sql<DuplicateTransfer & { id: number }>`
    select rows.c0 as "index", min(t.id) as id, p.resource_id, p.tpp_id, p.status
    from ${rowsTable(rows)} cross join credit_transfer t
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
