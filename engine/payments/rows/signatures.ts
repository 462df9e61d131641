import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { SignatureRow } from './tables.ts';

/** A signature with the number and name of the PSU who gave it. */
export type Signature = Selectable<SignatureRow> & { readonly customer_number: string; readonly name: string };

export async function insertSignature(tx: Writer, signature: SignatureRow): Promise<void> {
  await tx.insertInto('signature').values(signature).execute();
}

/** The signatures of a payment, in the order in which they were given. */
export function signaturesOf(reader: Reader, paymentId: number): Promise<Signature[]> {
  return reader
    .selectFrom('signature')
    .innerJoin('customer', 'customer.id', 'signature.customer_id')
    .selectAll('signature')
    .select(['customer.customer_number', 'customer.name'])
    .where('signature.payment_id', '=', paymentId)
    .orderBy('signature.signed_at')
    .orderBy('signature.customer_id')
    .execute();
}
