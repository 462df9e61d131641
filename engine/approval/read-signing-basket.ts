import type { Payment } from '../payments/rows/payments.ts';
import { findSigningBasket, paymentsOfBasket, type SigningBasket } from './rows/signing-baskets.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { formatInstant, type Instant } from '../values/instant.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';

export interface ReadSigningBasket {
  readonly tppId: string;
  readonly psu: PsuReference;
  readonly basketId: string;
}

export interface BasketView {
  readonly basket: SigningBasket;
  /** In the order of the request that created the basket. */
  readonly payments: readonly Payment[];
}

/** Reads a signing basket for its TPP and PSU. Another's: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED. */
export function readSigningBasket(bank: BankContext, query: ReadSigningBasket): Promise<BasketView> {
  return bank.ledger.read(async (reader) => {
    const { customer } = await identifyPsu(reader, query.tppId, query.psu);
    const now = await bankNow(bank, reader);
    const basket = await findOwnBasket(reader, query.tppId, query.basketId, customer, now);
    return { basket, payments: await paymentsOfBasket(reader, basket.id, now) };
  });
}

/**
 * Finds the signing basket of a path for its TPP and PSU (interface: Endpoints, rule 5; rules.md G8). `customer` is null
 * when the request names no PSU. Unknown to them: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED.
 */
export async function findOwnBasket(
  reader: Reader,
  tppId: string,
  basketId: string,
  customer: Customer | null,
  now: Instant,
): Promise<SigningBasket> {
  const basket = await findSigningBasket(reader, basketId);
  if (basket === undefined || basket.tpp_id !== tppId || (customer !== null && basket.customer_id !== customer.id)) {
    const text = `This TPP and PSU have no signing basket ${clip(basketId)}. Check the id, and PSU-ID where it is sent.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  requireNotRemoved(basket, now);
  return basket;
}

/** RESOURCE_EXPIRED when the lifetime of the basket, in bank time, has passed (interface: Limits). */
export function requireNotRemoved(basket: SigningBasket, now: Instant): void {
  if (now < basket.expires_at) return;
  const text =
    `The signing basket was removed at ${formatInstant(basket.expires_at)}. ` +
    'Its payments stay: authorise them one by one, or make a new basket.';
  throw new Refusal({ code: 'RESOURCE_EXPIRED', place: 'path', text });
}
