import { sql } from 'kysely';
import type { LocalDate } from '../../values/local-date.ts';
import type { DuplicateKey } from '../rules/transfer-rules.ts';
import type { TransactionStatus } from '../../values/transaction-status.ts';
import { inParts } from '../../values/lists.ts';
import { rowsAsJson, type Given, prepared, insertMany, rowsIn, preparedOne } from '../../ledger/queries.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import type { ForeignTransfer } from '../rules/foreign-transfer.ts';
import { formatRate } from '../../values/price-list.ts';

/** A transfer to insert; `item` is its object in the body of a bulk payment, else null. */
interface NewCreditTransfer extends DuplicateKey {
  readonly item: object | null;
}

/** Debtor account and execution date of all transfers of a payment; the date is null for a periodic payment. */
export interface TransferOrigin {
  readonly debtorAccountId: number;
  readonly executionDate: LocalDate | null;
}

/** Inserts the transfers of a payment, in the order of its body. */
export async function insertCreditTransfers(
  tx: Writer,
  { id, debtor_account_id, execution_date }: Pick<Row<'payment'>, 'id' | 'debtor_account_id' | 'execution_date'>,
  transfers: readonly NewCreditTransfer[],
): Promise<void> {
  await insertMany(tx, 'credit_transfer', {
    columns: ['sequence', 'creditor_number', 'currency', 'amount_minor', 'initiation'],
    items: transfers,
    rowOf: ({ creditorNumber, amount, item }, sequence) => [
      sequence,
      creditorNumber,
      amount.currency,
      amount.minor,
      item === null ? null : JSON.stringify(item),
    ],
    shared: { payment_id: id, debtor_account_id, execution_date },
  });
}

/** An earlier transfer with the same key as the new one at `index`, with its payment. */
export interface DuplicateTransfer {
  readonly index: number;
  readonly resource_id: string;
  readonly tpp_id: string;
  readonly status: TransactionStatus;
}

/** `rows`: index, creditor's number, minor units and currency of each transfer, as JSON. */
interface WantedTransfers extends TransferOrigin {
  readonly rows: string;
  readonly limit: number;
}

const duplicatesOf = prepared(
  (_db: Reader, { debtorAccountId, executionDate, rows, limit }: Given<WantedTransfers>) =>
    sql<DuplicateTransfer & { id: number }>`
    select rows.c0 as "index", min(t.id) as id, p.resource_id, p.tpp_id, p.status
    from ${rowsIn(rows, 4)} cross join credit_transfer t
      on t.debtor_account_id = ${debtorAccountId} and t.execution_date = ${executionDate}
      and t.creditor_number = rows.c1 and t.amount_minor = rows.c2 and t.currency = rows.c3
    join payment p on p.id = t.payment_id
    where p.status not in ('RJCT', 'CANC') and not exists (select 1 from execution x
      where x.payment_id = t.payment_id and x.sequence = t.sequence and x.status in ('RJCT', 'CANC'))
    group by rows.c0 order by rows.c0 limit ${limit}`,
);

/**
 * For each of these transfers the first one on the ledger with the same key, `limit` rows at most; rejected and
 * cancelled ones do not count (rules.md P7). The cross join puts the given rows first, so that each costs one index
 * lookup however long the history is.
 */
export async function duplicateTransfers(
  reader: Reader,
  { debtorAccountId, executionDate }: TransferOrigin,
  transfers: readonly DuplicateKey[],
  limit: number,
): Promise<DuplicateTransfer[]> {
  const found: DuplicateTransfer[] = [];
  for (const some of inParts([...transfers.entries()])) {
    const rows = some.map(([index, { creditorNumber, amount }]) => [
      index,
      creditorNumber,
      amount.minor,
      amount.currency,
    ]);
    const wanted = { debtorAccountId, executionDate, rows: rowsAsJson(rows), limit: limit - found.length };
    found.push(...(await duplicatesOf(reader, wanted)));
    if (found.length === limit) break;
  }
  return found;
}

const sumOf = prepared(
  (_db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
    sql<{ count: number; total_minor: bigint }>`select count(*) as count, coalesce(sum(amount_minor), 0) as total_minor
      from credit_transfer where payment_id = ${paymentId}`,
);

/** The number of a payment's transfers, and their sum in minor units. */
export async function bulkSum(reader: Reader, paymentId: number): Promise<{ count: number; total: bigint }> {
  const [row] = await sumOf(reader, { paymentId });
  return { count: row?.count ?? 0, total: row?.total_minor ?? 0n };
}

/** The items of a bulk payment as sent, each as JSON: all, or `limit` of them starting at index `from`. */
export async function bulkItemsOf(
  reader: Reader,
  paymentId: number,
  { from, limit }: { readonly from: number; readonly limit: number } = { from: 0, limit: -1 },
): Promise<string[]> {
  const rows = await reader
    .selectFrom('credit_transfer')
    .select('initiation')
    .where('payment_id', '=', paymentId)
    .orderBy('sequence')
    .limit(limit)
    .offset(from)
    .execute();
  return rows.flatMap(({ initiation }) => (initiation === null ? [] : [initiation]));
}

export async function insertForeignTransfer(tx: Writer, paymentId: number, terms: ForeignTransfer): Promise<void> {
  const row = { payment_id: paymentId, ...foreignRow(terms), value_date: null };
  await tx.insertInto('foreign_transfer').values(row).execute();
}

/** Changes the terms of a payment whose rate is fixed, or its value date (rules.md T4d, T4f). */
export async function updateForeignTransfer(
  tx: Writer,
  paymentId: number,
  change: Partial<Row<'foreign_transfer'>>,
): Promise<void> {
  await tx.updateTable('foreign_transfer').set(change).where('payment_id', '=', paymentId).execute();
}

/** The columns of a price. */
export function foreignRow(terms: ForeignTransfer): Omit<Row<'foreign_transfer'>, 'payment_id' | 'value_date'> {
  const { instructed, debit, fee, credit, debitRate, creditRate } = terms;
  return {
    debit_minor: debit.minor,
    fee_minor: fee.minor,
    instructed_minor: instructed.minor,
    instructed_currency: instructed.currency,
    credit_minor: credit.minor,
    credit_currency: credit.currency,
    debit_rate: debitRate === null ? null : formatRate(debitRate),
    credit_rate: creditRate === null ? null : formatRate(creditRate),
    quotation_date: terms.quotationDate,
  };
}

export const foreignTransferOf = preparedOne((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db.selectFrom('foreign_transfer').selectAll().where('payment_id', '=', paymentId),
);

export async function insertBulkPayment(tx: Writer, paymentId: number, transactions: number): Promise<void> {
  await tx.insertInto('bulk_payment').values({ payment_id: paymentId, number_of_transactions: transactions }).execute();
}
