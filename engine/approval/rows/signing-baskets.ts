import type { Instant } from '../../values/instant.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import type { Payment } from '../../payments/rows/payments.ts';
import { paymentAt } from '../../payments/rules/payment-status.ts';

export type SigningBasket = Row<'signing_basket'>;

/** Inserts a basket with its payments in this order. */
export async function insertSigningBasket(
  tx: Writer,
  basket: NewRow<'signing_basket'>,
  paymentIds: readonly number[],
): Promise<SigningBasket> {
  const inserted = await tx.insertInto('signing_basket').values(basket).returningAll().executeTakeFirstOrThrow();
  const rows = paymentIds.map((id, position) => ({ basket_id: inserted.id, payment_id: id, position }));
  await tx.insertInto('basket_payment').values(rows).execute();
  return inserted;
}

export function findSigningBasket(reader: Reader, resourceId: string): Promise<SigningBasket | undefined> {
  return reader.selectFrom('signing_basket').selectAll().where('resource_id', '=', resourceId).executeTakeFirst();
}

export function signingBasketByKey(reader: Reader, id: number): Promise<SigningBasket> {
  return reader.selectFrom('signing_basket').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The payments of a basket as they read at `now` (rules.md S2b), in the order of the request. */
export async function paymentsOfBasket(reader: Reader, basketId: number, now: Instant): Promise<Payment[]> {
  const payments = await reader
    .selectFrom('basket_payment')
    .innerJoin('payment', 'payment.id', 'basket_payment.payment_id')
    .selectAll('payment')
    .where('basket_payment.basket_id', '=', basketId)
    .orderBy('basket_payment.position')
    .execute();
  return payments.map((payment) => paymentAt(payment, now));
}

export async function saveBasketSigned(tx: Writer, id: number, at: Instant): Promise<void> {
  await tx.updateTable('signing_basket').set({ signed_at: at }).where('id', '=', id).execute();
}

/** Expires the open baskets of a customer. */
export async function expireBasketsOf(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('signing_basket')
    .set({ expires_at: at })
    .where('customer_id', '=', customerId)
    .where('signed_at', 'is', null)
    .where('expires_at', '>', at)
    .execute();
}
