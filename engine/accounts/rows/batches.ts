import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';

/** The transfers of a bulk payment that one page of a run settles. */
interface BatchPart {
  readonly paymentId: number;
  readonly runAt: Instant;
  /** The first execution of the page. */
  readonly executionId: number;
  readonly transactions: number;
  /** The sum of the debits, in minor units. */
  readonly amount: bigint;
}

/** Adds a part to a bulk payment's batch in a run; the first part creates the batch. Returns the batch's key. */
export async function addToBatch(tx: Writer, part: BatchPart): Promise<number> {
  const { id } = await tx
    .insertInto('batch')
    .values({
      payment_id: part.paymentId,
      run_at: part.runAt,
      leading_execution_id: part.executionId,
      number_of_transactions: part.transactions,
      amount_minor: part.amount,
    })
    .onConflict((conflict) =>
      conflict.columns(['payment_id', 'run_at']).doUpdateSet((eb) => ({
        number_of_transactions: eb('batch.number_of_transactions', '+', part.transactions),
        amount_minor: eb('batch.amount_minor', '+', part.amount),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** One transfer of a batch: its debit (negative) and the JSON of the item as sent. */
interface BatchTransfer {
  readonly amount_minor: bigint;
  readonly initiation: string | null;
}

/** The transfers of a batch, in the order of the bulk payment's items. */
export function transfersOfBatch(reader: Reader, batchId: number): Promise<BatchTransfer[]> {
  return reader
    .selectFrom('entry')
    .innerJoin('execution', 'execution.id', 'entry.execution_id')
    .innerJoin('credit_transfer', (join) =>
      join
        .onRef('credit_transfer.payment_id', '=', 'execution.payment_id')
        .onRef('credit_transfer.sequence', '=', 'execution.sequence'),
    )
    .select(['entry.amount_minor', 'credit_transfer.initiation'])
    .where('entry.batch_id', '=', batchId)
    .orderBy('execution.sequence')
    .execute();
}
