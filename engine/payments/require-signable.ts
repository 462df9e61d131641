import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { formatInstant } from '../values/instant.ts';
import type { SignablePayment } from './rows/signable-payments.ts';

/**
 * Whether a payment takes the signature of the PSU whom it was read for, said alike when an SCA starts, on its page and when
 * it is signed. One that takes none at all: STATUS_INVALID (rules.md P12); one that waits in another basket than the one
 * it is signed with (null: it is signed alone): RESOURCE_BLOCKED; one that this PSU has signed already: STATUS_INVALID
 * (interface: Multiple signatures).
 */
export function requireSignable(payment: SignablePayment, basketId: number | null): void {
  const refusal = signatureRefusal(payment.status);
  if (refusal !== null) throw refusal;
  if (payment.basket_id !== null && payment.basket_id !== basketId) throw waitsInBasket(payment);
  if (payment.is_signed === 0) return;
  const text = 'This PSU has signed the payment already: it waits for the signature of another one.';
  throw new Refusal({ code: 'STATUS_INVALID', text });
}

/** Such a payment is signed with its basket, not alone and not with another (interface: Errors). */
function waitsInBasket({ basket_resource_id: id, basket_expires_at: expiresAt }: SignablePayment): Refusal {
  assert(id !== null && expiresAt !== null, 'an open basket has an id and an end');
  const text =
    `The payment waits in the signing basket ${id} and is signed with it. Authorise the basket; ` +
    `at ${formatInstant(expiresAt)} it is removed.`;
  return new Refusal({ code: 'RESOURCE_BLOCKED', text });
}

/** STATUS_INVALID for a payment that takes no signature; null for one that waits for it. */
export function signatureRefusal(status: TransactionStatus): Refusal | null {
  if (awaitsSignature(status)) return null;
  return new Refusal({ code: 'STATUS_INVALID', text: `The payment is ${status}: it takes no signature.` });
}
