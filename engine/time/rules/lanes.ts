import { assert } from '../../values/assert.ts';
import { type CustomerType, customerTypes } from '../../values/customer-type.ts';
import { currencies, type Currency } from '../../values/money.ts';
import type { ProductWord } from '../../values/product.ts';

/**
 * What a product is for its cut-off (rules.md T4g): a domestic transfer inside this bank is `inside`, or `inside-kid`
 * if it has a structured reference.
 */
export type LaneProduct = ProductWord | 'inside' | 'inside-kid';

/** Payments that settlement times, cut-offs and early closes do not tell apart (rules.md T9). */
export interface Lane {
  readonly customer: CustomerType;
  readonly product: LaneProduct;
  /** Of the amount of a foreign payment; else NOK. */
  readonly currency: Currency;
}

/** A lane as the ledger has it: `private inside NOK`. */
export function laneKey({ customer, product, currency }: Lane): string {
  return `${customer} ${product} ${currency}`;
}

/** The lane with this key. */
export function laneWith(key: string): Lane {
  const lane = lanesByKey.get(key);
  assert(lane !== undefined, `${key} is a lane`);
  return lane;
}

/** The lane of domestic payments to other banks. */
export function domesticLane(customer: CustomerType): Lane {
  return { customer, product: 'domestic', currency: 'NOK' };
}

const currenciesOf: Readonly<Record<LaneProduct, readonly Currency[]>> = {
  domestic: ['NOK'],
  inside: ['NOK'],
  'inside-kid': ['NOK'],
  instant: ['NOK'],
  sepa: ['EUR'],
  'cross-border': currencies,
};

/** Every lane. */
export const lanes: readonly Lane[] = customerTypes.flatMap((customer) =>
  Object.entries(currenciesOf).flatMap(([product, all]) =>
    all.map((currency) => ({ customer, product: product as LaneProduct, currency })),
  ),
);

const lanesByKey = new Map(lanes.map((lane) => [laneKey(lane), lane]));
