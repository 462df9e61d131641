import type { Reader } from '../ledger/database.ts';
import { awaitsSignature } from '../settlement/rules/transaction-status.ts';
import type { Instant } from '../values/instant.ts';
import type { Payment } from './rows/payments.ts';
import { openBasketOf } from './rows/signable-payments.ts';

/** What the link `startAuthorisation` of a payment starts; null: there is none. */
export type NextAuthorisation = 'payment' | 'cancellation' | null;

/**
 * What can be authorised of a payment as it reads at `now` (rules.md P12b): its signature, unless it waits in an open basket and is
 * signed with that; after a DELETE its cancellation, while it can still be cancelled.
 */
export async function nextAuthorisation(reader: Reader, payment: Payment, now: Instant): Promise<NextAuthorisation> {
  if (payment.status === 'ACSP') return payment.cancellation_requested_at === null ? null : 'cancellation';
  if (!awaitsSignature(payment.status)) return null;
  return (await openBasketOf(reader, payment.id, now)) === undefined ? 'payment' : null;
}
