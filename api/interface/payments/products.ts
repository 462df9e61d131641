import { products } from '../../../engine/values/product.ts';

/** Products of each payment service (rules.md P1). */
export const offeredProducts = {
  payments: Object.values(products),
  'periodic-payments': [products.domestic],
  'bulk-payments': [products.domestic],
} as const;
