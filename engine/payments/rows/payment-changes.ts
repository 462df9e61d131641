import type { LocalDate } from '../../values/local-date.ts';
import type { Writer } from '../../ledger/database.ts';
import { isOpen } from '../../settlement/rows/executions.ts';

/** Another amount for what has not settled of a payment, for its occurrences to come and its logical duplicates (rules.md P14, R9, P7). */
export async function changeOpenAmount(tx: Writer, paymentId: number, minor: bigint): Promise<void> {
  await tx
    .updateTable('execution')
    .set({ amount_minor: minor })
    .where('payment_id', '=', paymentId)
    .where(isOpen('execution'))
    .execute();
  await tx.updateTable('credit_transfer').set({ amount_minor: minor }).where('payment_id', '=', paymentId).execute();
}

/** Another day for what has not settled of a single or bulk payment (rules.md P14). */
export async function changeOpenDate(tx: Writer, paymentId: number, date: LocalDate): Promise<void> {
  await tx
    .updateTable('execution')
    .set({ nominal_date: date, execution_date: date })
    .where('payment_id', '=', paymentId)
    .where(isOpen('execution'))
    .execute();
}
