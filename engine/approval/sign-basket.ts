import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import { awaitsSignature } from '../settlement/rules/transaction-status.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import type { Payment } from '../payments/rows/payments.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { paymentsOfBasket, saveBasketSigned, signingBasketByKey } from './rows/signing-baskets.ts';
import { requireNotRemoved } from './read-signing-basket.ts';
import { orRefusal } from './or-refusal.ts';

/**
 * Signs every payment of a basket that still needs a signature, with one SCA (interface: Endpoints, rule 5). Not atomic: a
 * refused payment stays unsigned and can be authorised alone, the others are signed. When all are refused, throws the
 * first refusal.
 */
export async function signBasket(
  tx: Writer,
  sca: Sca,
  now: Instant,
  signOne: (payment: Payment) => Promise<void>,
): Promise<void> {
  assert(sca.basket_id !== null, 'an SCA of a signing basket names it');
  const waiting = await waitingInBasket(tx, sca, now);
  const refusals: Refusal[] = [];
  for (const payment of waiting) {
    // A refusal comes before the first change to its payment, so that nothing has to be rolled back.
    const signed = await orRefusal(signOne(payment));
    if (signed instanceof Refusal) refusals.push(signed);
  }
  if (refusals.length === waiting.length) throw refusals[0] ?? takesNoSignature();
  await saveBasketSigned(tx, sca.basket_id, now);
}

/** The payments of an SCA's basket that still need a signature. Basket signed, or none left: STATUS_INVALID; removed: RESOURCE_EXPIRED. */
export async function waitingInBasket(reader: Reader, sca: Sca, now: Instant): Promise<Payment[]> {
  assert(sca.basket_id !== null, 'an SCA of a signing basket names it');
  const basket = await signingBasketByKey(reader, sca.basket_id);
  requireNotRemoved(basket, now);
  const payments = await paymentsOfBasket(reader, basket.id, now);
  const waiting = payments.filter(({ status }) => awaitsSignature(status));
  if (basket.signed_at !== null || waiting.length === 0) throw takesNoSignature();
  return waiting;
}

/** STATUS_INVALID: the basket was signed, or none of its payments needs a signature any more. */
export function takesNoSignature(): Refusal {
  const text =
    'The signing basket takes no further signature. Read the status of each payment; one that waits is authorised alone.';
  return new Refusal({ code: 'STATUS_INVALID', text });
}
