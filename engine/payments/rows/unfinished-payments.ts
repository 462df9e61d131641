import { sql } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import type { Payment } from './payments.ts';

/** The status list of the partial index `payment_unfinished`, spelled as there so that SQLite uses it. */
const isUnfinished = sql<boolean>`payment.status not in ('ACSC', 'RJCT', 'CANC')`;

/** The payments from an account that are not final, periodic ones too, in the order of their initiation. */
export function unfinishedPaymentsFrom(reader: Reader, accountId: number): Promise<Payment[]> {
  return unfinished(reader).where('debtor_account_id', '=', accountId).execute();
}

/** The payments that a customer initiated or signed, from whose account ever, that are not final. */
export function unfinishedPaymentsOf(reader: Reader, customerId: number): Promise<Payment[]> {
  const signed = reader.selectFrom('signature').select('payment_id').where('customer_id', '=', customerId);
  return unfinished(reader)
    .where((eb) => eb.or([eb('customer_id', '=', customerId), eb('id', 'in', signed)]))
    .execute();
}

/** The payments made under an agreement that are not final. */
export function unfinishedPaymentsUnder(reader: Reader, agreementId: number): Promise<Payment[]> {
  return unfinished(reader).where('agreement_id', '=', agreementId).execute();
}

function unfinished(reader: Reader) {
  return reader.selectFrom('payment').selectAll().where(isUnfinished).orderBy('id');
}
