/** The balances of a card, in minor units of its currency. */
export interface CardBalances {
  /** All transactions, pending ones included; negative: the customer owes. */
  readonly expected: bigint;
  /** What the customer can still spend: credit limit plus `expected` (real-api-facts.md 9.5). */
  readonly forwardAvailable: bigint;
}

/** Computes a card's balances. `sum` is its opening balance less all transactions. */
export function cardBalancesOf(sum: bigint, creditLimit: bigint): CardBalances {
  return { expected: sum, forwardAvailable: creditLimit + sum };
}
