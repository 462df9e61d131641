import type { ExecutionStatus } from '../../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import { readInParts } from '../../values/lists.ts';
import { keysTable, type Reader, type Writer } from '../../ledger/database.ts';

export async function insertBulkPayment(tx: Writer, paymentId: number, transactions: number): Promise<void> {
  await tx.insertInto('bulk_payment').values({ payment_id: paymentId, number_of_transactions: transactions }).execute();
}

/** A bulk payment with the set of its items' statuses. */
interface BulkProgress {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly items: ReadonlySet<ExecutionStatus>;
}

export function bulkProgress(reader: Reader, paymentIds: readonly number[]): Promise<BulkProgress[]> {
  return readInParts(paymentIds, (some) => progressOf(reader, some), bulksAtOnce);
}

/** How many bulk payments one query reads; each may have thousands of items. */
const bulksAtOnce = 20;

async function progressOf(reader: Reader, paymentIds: readonly number[]): Promise<BulkProgress[]> {
  const rows = await reader
    .selectFrom('execution')
    .innerJoin('payment', 'payment.id', 'execution.payment_id')
    .select(['execution.payment_id', 'execution.status as item', 'payment.status'])
    .distinct()
    .where('execution.payment_id', 'in', keysTable(paymentIds))
    .execute();
  return [...Map.groupBy(rows, (row) => row.payment_id)].flatMap(([paymentId, items]) => {
    const status = items[0]?.status;
    return status === undefined ? [] : [{ paymentId, status, items: new Set(items.map(({ item }) => item)) }];
  });
}
