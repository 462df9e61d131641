/** The payment products, as paths spell them (rules.md P1). */
export const products = {
  domestic: 'norwegian-domestic-credit-transfers',
  straks: 'instant-norwegian-domestic-credit-transfers-straks',
  sepa: 'sepa-credit-transfers',
  crossBorder: 'cross-border-credit-transfers',
} as const;

export type ForeignProduct = typeof products.sepa | typeof products.crossBorder;

/** Its status cannot be read before approval (rules.md S9). */
export function isDomestic(product: string): boolean {
  return product === products.domestic;
}

/** Settles when it is authorised, on any day at any hour (rules.md P10). */
export function isInstant(product: string): boolean {
  return product === products.straks;
}

/** Carries a fee, and may convert (rules.md P11). */
export function isForeign(product: string): product is ForeignProduct {
  return product === products.sepa || product === products.crossBorder;
}
