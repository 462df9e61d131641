import { sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import { type Flag, type Given, insertRow, prepared, preparedOne, type RowFrom } from '../../ledger/queries.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { paymentAt } from '../rules/payment-status.ts';
import { orderColumns, type OrderRow, orderTables } from './orders.ts';
import type { Payment } from './payments.ts';

/** A payment with everything that decides whether it can be signed and when it is paid, and its initiation. */
export interface SignablePayment extends Payment, Omit<OrderRow, keyof Payment> {
  readonly debtor_customer_id: number;
  readonly debtor_bban: string | null;
  readonly signatures_required: number;
  /** The open signing basket that contains it: neither signed nor removed. */
  readonly basket_id: number | null;
  readonly basket_resource_id: string | null;
  readonly basket_expires_at: Instant | null;
  readonly body: string;
  readonly signatures_given: number;
  /** Whether the customer of the query has signed it. */
  readonly is_signed: Flag;
}

interface Asked {
  readonly id: number;
  readonly customerId: number | null;
  readonly now: Instant;
}

const signable = preparedOne(
  (_db: Reader, { id, customerId, now }: Given<Asked>) => sql<SignablePayment>`
    select p.*, debtor.customer_id as debtor_customer_id, debtor.bban as debtor_bban, debtor.signatures_required, i.body,
      basket.id as basket_id, basket.resource_id as basket_resource_id, basket.expires_at as basket_expires_at,
      (select count(*) from signature where payment_id = p.id) as signatures_given,
      exists (select 1 from signature where payment_id = p.id and customer_id = ${customerId}) as is_signed, ${orderColumns}
    from ${orderTables} left join signing_basket basket on basket.id = (
      select open.id from basket_payment join signing_basket open on open.id = basket_payment.basket_id
      where basket_payment.payment_id = p.id and open.signed_at is null and open.expires_at > ${now} limit 1)
    where p.id = ${id}`,
);

/**
 * Reads a payment as of `now` (rules.md S2b) in one statement. `is_signed` says whether `customerId` has signed; 0 if
 * that is null.
 */
export async function signablePayment(
  { reader, now }: { readonly reader: Reader; readonly now: Instant },
  id: number,
  customerId: number | null,
): Promise<SignablePayment> {
  const payment = await signable(reader, { id, customerId, now });
  assert(payment !== undefined, 'a payment has its debtor and its initiation');
  return paymentAt(payment, now);
}

/** A signature with the number and name of the PSU who gave it. */
export type Signature = RowFrom<typeof signaturesOf>;

export async function insertSignature(tx: Writer, signature: Row<'signature'>): Promise<void> {
  await insertRow(tx, 'signature', signature);
}

/** The signatures of a payment, in the order in which they were given. */
export const signaturesOf = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('signature')
    .innerJoin('customer', 'customer.id', 'signature.customer_id')
    .selectAll('signature')
    .select(['customer.customer_number', 'customer.name'])
    .where('signature.payment_id', '=', paymentId)
    .orderBy('signature.signed_at')
    .orderBy('signature.customer_id'),
);
