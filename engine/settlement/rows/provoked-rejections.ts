import { sql } from 'kysely';
import { inParts, readInParts } from '../../values/lists.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { type Given, keysIn, keysTable, prepared } from '../../ledger/queries.ts';

/** The reasons of a payment's provoked rejections, by the sequence of what is rejected (rules.md P14b). */
export type Rejections = ReadonlyMap<number, string>;

const rejectionRows = prepared((db: Reader, { ids }: Given<{ ids: string }>) =>
  db.selectFrom('provoked_rejection').selectAll().where('payment_id', 'in', keysIn<number>(ids)),
);

/** The provoked rejections of these payments, by payment; one without any is left out. */
export async function rejectionsOf(
  reader: Reader,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, Rejections>> {
  const found = new Map<number, Map<number, string>>();
  const rows = await readInParts(paymentIds, (some) => rejectionRows(reader, { ids: JSON.stringify(some) }));
  for (const { payment_id: paymentId, sequence, reason } of rows) {
    found.set(paymentId, (found.get(paymentId) ?? new Map<number, string>()).set(sequence, reason));
  }
  return found;
}

/** Has these parts of a payment rejected for a reason, which replaces an earlier one. */
export async function saveRejections(
  tx: Writer,
  paymentId: number,
  sequences: readonly number[],
  reason: string,
): Promise<void> {
  for (const some of inParts(sequences)) {
    await sql`insert into provoked_rejection (payment_id, sequence, reason)
      select ${paymentId}, value, ${reason} from ${keysTable(some)} where true order by value
      on conflict (payment_id, sequence) do update set reason = excluded.reason`.execute(tx);
  }
}

/** Rejects the executions of a payment that have a provoked rejection, without an attempt. */
export async function rejectMarked(tx: Writer, paymentId: number): Promise<void> {
  const marked = tx.selectFrom('provoked_rejection').select('sequence').where('payment_id', '=', paymentId);
  await tx
    .updateTable('execution')
    .set({ status: 'RJCT' })
    .where('payment_id', '=', paymentId)
    .where('sequence', 'in', marked)
    .execute();
}
