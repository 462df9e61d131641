import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { formatInstant } from '../values/instant.ts';
import type { SignablePayment } from './rows/signable-payments.ts';

/**
 * Refuses a payment that its PSU cannot sign. The same check applies when an SCA starts, on its page and at the signature.
 * STATUS_INVALID when the payment takes no signature (rules.md P12), or this PSU has signed it already (interface: Multiple
 * signatures). RESOURCE_BLOCKED when it is in an open basket other than `basketId`; null signs the payment alone.
 */
export function requireSignable(payment: SignablePayment, basketId: number | null): void {
  const refusal = signatureRefusal(payment.status);
  if (refusal !== null) throw refusal;
  if (payment.basket_id !== null && payment.basket_id !== basketId) throw waitsInBasket(payment);
  if (payment.is_signed === 0) return;
  const text = 'This PSU has signed the payment already: it waits for the signature of another one.';
  throw new Refusal({ code: 'STATUS_INVALID', text });
}

/** RESOURCE_BLOCKED: the payment can only be signed with its basket (interface: Errors). */
function waitsInBasket({ basket_resource_id: id, basket_expires_at: expiresAt }: SignablePayment): Refusal {
  assert(id !== null && expiresAt !== null, 'an open basket has an id and an end');
  const text =
    `The payment waits in the signing basket ${id} and is signed with it. Authorise the basket; ` +
    `at ${formatInstant(expiresAt)} it is removed.`;
  return new Refusal({ code: 'RESOURCE_BLOCKED', text });
}

/** STATUS_INVALID for a payment that takes no signature; null for RCVD and PATC. */
export function signatureRefusal(status: TransactionStatus): Refusal | null {
  if (awaitsSignature(status)) return null;
  return new Refusal({ code: 'STATUS_INVALID', text: `The payment is ${status}: it takes no signature.` });
}
