import { sql } from 'kysely';
import { rowsTable, type Reader, type Transaction } from './database.ts';
import type { Payment } from './payments.ts';

/** The status list of the partial index `payment_unfinished`, spelled as there so that SQLite uses it. */
const isUnfinished = sql<boolean>`payment.status not in ('ACSC', 'RJCT', 'CANC')`;

/** The payments from an account that are not final, periodic ones too, in the order of their initiation. */
export function unfinishedPaymentsFrom(reader: Reader, accountId: number): Promise<Payment[]> {
  return unfinished(reader).where('debtor_account_id', '=', accountId).execute();
}

/** The payments that a customer initiated, from whose account ever, that are not final. */
export function unfinishedPaymentsOf(reader: Reader, customerId: number): Promise<Payment[]> {
  return unfinished(reader).where('customer_id', '=', customerId).execute();
}

/** The payments made under an agreement that are not final. */
export function unfinishedPaymentsUnder(reader: Reader, agreementId: number): Promise<Payment[]> {
  return unfinished(reader).where('agreement_id', '=', agreementId).execute();
}

/** Cancels what has not settled of these payments, and fails the SCAs that wait on them (rules.md D2). */
export async function cancelWhatWaitsOn(tx: Transaction, paymentIds: readonly number[]): Promise<void> {
  if (paymentIds.length === 0) return;
  const rows = rowsTable(paymentIds.map((id) => [id]));
  await sql`update execution set status = 'CANC' from ${rows}
    where execution.payment_id = rows.c0 and execution.status in ('ACSP', 'PDNG', 'ACCP')`.execute(tx);
  await sql`update sca set outcome = 'failed' from ${rows}
    where sca.payment_id = rows.c0 and sca.outcome is null`.execute(tx);
}

function unfinished(reader: Reader) {
  return reader.selectFrom('payment').selectAll().where(isUnfinished).orderBy('id');
}
