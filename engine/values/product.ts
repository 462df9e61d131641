import { assert } from './assert.ts';

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

/** The word for a product in settings, questions and lanes. */
export const productWords = {
  [products.domestic]: 'domestic',
  [products.straks]: 'instant',
  [products.sepa]: 'sepa',
  [products.crossBorder]: 'cross-border',
} as const satisfies Readonly<Record<Product, string>>;

export type ProductWord = (typeof productWords)[Product];

/** The product with this word. */
export function productOf(word: ProductWord): Product {
  const found = Object.values(products).find((product) => productWords[product] === word);
  assert(found !== undefined, `${word} is a product`);
  return found;
}

const kindsOfProducts = {
  [products.domestic]: 'domestic',
  [products.straks]: 'instant',
  [products.sepa]: 'foreign',
  [products.crossBorder]: 'foreign',
} as const satisfies Readonly<Record<Product, 'domestic' | 'instant' | 'foreign'>>;

export type ForeignProduct = {
  [Each in Product]: (typeof kindsOfProducts)[Each] extends 'foreign' ? Each : never;
}[Product];

/** True for the product whose status cannot be read before approval (rules.md S9). */
export function isDomestic(product: Product): boolean {
  return kindsOfProducts[product] === 'domestic';
}

/** True for the product that settles when it is authorised, on any day at any hour (rules.md P10). */
export function isInstant(product: Product): boolean {
  return kindsOfProducts[product] === 'instant';
}

/** True for the products with a fee and possibly an exchange (rules.md P11). */
export function isForeign(product: Product): product is ForeignProduct {
  return kindsOfProducts[product] === 'foreign';
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
