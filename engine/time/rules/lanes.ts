import { assert } from '../../values/assert.ts';
import { type CustomerType, customerTypes } from '../../values/customer-type.ts';
import { currencies, type Currency } from '../../values/money.ts';
import { type Product, products } from '../../values/product.ts';

/**
 * What a product is for its cut-off (rules.md T4g): a domestic transfer inside this bank is `inside`, or `inside-kid` if it has a structured
 * reference.
 */
export type LaneProduct = 'domestic' | 'inside' | 'inside-kid' | 'instant' | 'sepa' | 'cross-border';

/** Payments that settlement times, cut-offs and early closes do not tell apart (rules.md T9). */
export interface Lane {
  readonly customer: CustomerType;
  readonly product: LaneProduct;
  /** Of the amount of a foreign payment; else NOK. */
  readonly currency: Currency;
}

/** The products outside this bank. */
export const laneProducts: Readonly<Record<Product, LaneProduct>> = {
  [products.domestic]: 'domestic',
  [products.straks]: 'instant',
  [products.sepa]: 'sepa',
  [products.crossBorder]: 'cross-border',
};

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

const domestic = ['domestic', 'inside', 'inside-kid', 'instant'] as const;

/** Every lane. */
export const lanes: readonly Lane[] = customerTypes.flatMap((customer) => [
  ...domestic.map((product) => ({ customer, product, currency: 'NOK' }) as const),
  { customer, product: 'sepa', currency: 'EUR' } as const,
  ...currencies.map((currency) => ({ customer, product: 'cross-border', currency }) as const),
]);

const lanesByKey = new Map(lanes.map((lane) => [laneKey(lane), lane]));
