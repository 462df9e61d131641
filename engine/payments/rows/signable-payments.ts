import { sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import { type Flag, type Given, prepared, type RowFrom } from '../../ledger/queries.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { paymentAt } from '../rules/payment-status.ts';

/** A payment with everything that decides whether it can be signed, and its initiation. */
export type SignablePayment = RowFrom<typeof signable>;

interface Asked {
  readonly id: number;
  readonly customerId: number | null;
  readonly now: Instant;
}

const signable = prepared((db: Reader, { id, customerId, now }: Given<Asked>) =>
  db
    .selectFrom('payment')
    .innerJoin('account as debtor', 'debtor.id', 'payment.debtor_account_id')
    .innerJoin('payment_initiation', 'payment_initiation.payment_id', 'payment.id')
    // The open signing basket that contains it: neither signed nor removed.
    .leftJoin('signing_basket as basket', (join) =>
      join.on('basket.id', '=', (eb) =>
        eb
          .selectFrom('basket_payment')
          .innerJoin('signing_basket as open', 'open.id', 'basket_payment.basket_id')
          .select('open.id')
          .whereRef('basket_payment.payment_id', '=', 'payment.id')
          .where('open.signed_at', 'is', null)
          .where('open.expires_at', '>', now)
          .limit(1),
      ),
    )
    .selectAll('payment')
    .select([
      'debtor.customer_id as debtor_customer_id',
      'debtor.bban as debtor_bban',
      'debtor.signatures_required',
      'basket.id as basket_id',
      'basket.resource_id as basket_resource_id',
      'basket.expires_at as basket_expires_at',
      'payment_initiation.body',
      sql<number>`(select count(*) from signature where payment_id = payment.id)`.as('signatures_given'),
      // Whether the customer of the query has signed it.
      sql<Flag>`exists (select 1 from signature where payment_id = payment.id and customer_id = ${customerId})`.as(
        'is_signed',
      ),
    ])
    .where('payment.id', '=', id),
);

/**
 * Reads a payment as of `now` (rules.md S2b) in one statement. `is_signed` says whether `customerId` has signed; 0 if that is null.
 */
export async function signablePayment(
  { reader, now }: { readonly reader: Reader; readonly now: Instant },
  id: number,
  customerId: number | null,
): Promise<SignablePayment> {
  const [payment] = await signable(reader, { id, customerId, now });
  assert(payment !== undefined, 'a payment has its debtor and its initiation');
  return paymentAt(payment, now);
}

/** A signature with the number and name of the PSU who gave it. */
export type Signature = RowFrom<typeof signaturesOf>;

export async function insertSignature(tx: Writer, signature: Row<'signature'>): Promise<void> {
  await tx.insertInto('signature').values(signature).execute();
}

/** The signatures of a payment, in the order in which they were given. */
export function signaturesOf(reader: Reader, paymentId: number) {
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
