import { products } from '../../../engine/values/product.ts';

/** What each service offers (rules.md P1). */
export const offeredProducts = {
  payments: Object.values(products),
  'periodic-payments': [products.domestic],
  'bulk-payments': [products.domestic],
} as const;
