import { Refusal } from '../../core/fault.ts';
import type { Instant } from '../../core/instant.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Payment } from '../../ledger/payments.ts';
import { signaturesOf } from '../../ledger/signatures.ts';
import { signatureRefusal } from './closed-sca.ts';
import { requireNoOtherBasket } from './open-basket.ts';

/** Who would sign, where it is known, and how. */
export interface Signing {
  readonly customer: Customer | null;
  readonly now: Instant;
  /** The basket that it is signed with; null: it is signed alone. */
  readonly basketId: number | null;
}

/**
 * Whether a payment takes a PSU's signature, said alike when an SCA starts, on its page and when it is signed. One that
 * takes none at all: STATUS_INVALID (rules.md P12); one that waits in another basket: RESOURCE_BLOCKED; one that this PSU
 * has signed already: STATUS_INVALID (interface: Multiple signatures).
 */
export async function requireSignable(
  reader: Reader,
  payment: Payment,
  { customer, now, basketId }: Signing,
): Promise<void> {
  const refusal = signatureRefusal(payment.status);
  if (refusal !== null) throw refusal;
  await requireNoOtherBasket(reader, payment, basketId, now);
  if (customer === null) return;
  const given = await signaturesOf(reader, payment.id);
  if (!given.some((signature) => signature.customer_id === customer.id)) return;
  const text = 'This PSU has signed the payment already: it waits for the signature of another one.';
  throw new Refusal({ code: 'STATUS_INVALID', text });
}
