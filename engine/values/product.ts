/** The first part of a payment's path. */
export type PaymentService = 'payments' | 'periodic-payments' | 'bulk-payments';

/** The payment products by the names that paths have (rules.md P1). */
export const products = {
  domestic: 'norwegian-domestic-credit-transfers',
  straks: 'instant-norwegian-domestic-credit-transfers-straks',
  sepa: 'sepa-credit-transfers',
  crossBorder: 'cross-border-credit-transfers',
} as const;

export type Product = (typeof products)[keyof typeof products];

export type ForeignProduct = typeof products.sepa | typeof products.crossBorder;

/** True for the product whose status cannot be read before approval (rules.md S9). */
export function isDomestic(product: string): boolean {
  return product === products.domestic;
}

/** True for the product that settles when it is authorised, on any day at any hour (rules.md P10). */
export function isInstant(product: string): boolean {
  return product === products.straks;
}

/** True for the products with a fee and possibly an exchange (rules.md P11). */
export function isForeign(product: string): product is ForeignProduct {
  return product === products.sepa || product === products.crossBorder;
}

/** The currency of an order that names none. */
export const usualCurrency: Readonly<Record<Product, 'NOK' | 'EUR'>> = {
  [products.domestic]: 'NOK',
  [products.straks]: 'NOK',
  [products.sepa]: 'EUR',
  [products.crossBorder]: 'NOK',
};

/** The products of each payment service: periodic and bulk payments are domestic (rules.md P1). */
export const offeredProducts = {
  payments: Object.values(products),
  'periodic-payments': [products.domestic],
  'bulk-payments': [products.domestic],
} as const;
