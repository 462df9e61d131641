import { sql } from 'kysely';
import type { LocalDate } from '../core/local-date.ts';
import type { ExecutionStatus } from '../core/settlement.ts';
import type { TransactionStatus } from '../core/transaction-status.ts';
import type { Instant } from '../core/instant.ts';
import { inParts } from '../core/in-parts.ts';
import { keysTable, type Reader, type Transaction } from './database.ts';

export async function insertBulkPayment(tx: Transaction, paymentId: number, transactions: number): Promise<void> {
  await tx.insertInto('bulk_payment').values({ payment_id: paymentId, number_of_transactions: transactions }).execute();
}

/** Lays an execution for each item of a bulk payment, in the order of the items (rules.md S3). */
export async function insertItemExecutions(
  tx: Transaction,
  paymentId: number,
  laid: { readonly authorisedAt: Instant; readonly executionDate: LocalDate; readonly status: ExecutionStatus },
): Promise<void> {
  const { authorisedAt, executionDate: date, status } = laid;
  await sql`insert into execution (payment_id, sequence, nominal_date, execution_date, authorised_at, debtor_account_id,
      creditor_number, amount_minor, status, attempts)
    select payment_id, sequence, ${date}, ${date}, ${authorisedAt}, debtor_account_id, creditor_number, amount_minor,
      ${status}, 0
    from credit_transfer where payment_id = ${paymentId} order by sequence`.execute(tx);
}

/** A bulk payment with the statuses that its items have. */
export interface BulkProgress {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly items: ReadonlySet<ExecutionStatus>;
}

export async function bulkProgress(reader: Reader, paymentIds: readonly number[]): Promise<BulkProgress[]> {
  const progress: BulkProgress[] = [];
  for (const some of inParts(paymentIds, bulksAtOnce)) progress.push(...(await progressOf(reader, some)));
  return progress;
}

/** Each has up to some thousand items. */
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
