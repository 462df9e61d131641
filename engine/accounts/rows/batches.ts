import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';

/** What one page of a run settles of a bulk payment. */
export interface BatchPart {
  readonly paymentId: number;
  readonly runAt: Instant;
  /** The first execution of them. */
  readonly executionId: number;
  readonly transactions: number;
  /** The sum, in minor units. */
  readonly amount: bigint;
}

/** Adds to the batch that a run makes of a bulk payment; the first part of it makes the batch. Returns its key. */
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

/** One transfer of a batch: the debit, below zero, and the item as it was sent, as JSON. */
export interface BatchTransfer {
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
