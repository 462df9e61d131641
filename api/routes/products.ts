/** interface: Norwegian domestic credit transfer. */
export const domestic = 'norwegian-domestic-credit-transfers';

/** What each service offers (rules.md P1). */
export const offeredProducts = {
  payments: [domestic],
  'periodic-payments': [domestic],
} as const;
