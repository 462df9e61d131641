import { products } from '../../engine/core/product.ts';

/** What each service offers (rules.md P1). */
export const offeredProducts = {
  payments: Object.values(products),
  'periodic-payments': [products.domestic],
  'bulk-payments': [products.domestic],
} as const;
