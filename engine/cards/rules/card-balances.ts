/** Minor units of the card's currency. */
export interface CardBalances {
  /** Everything that was bought and paid, pending too: below zero is owed. */
  readonly expected: bigint;
  /** What can still be bought: the credit limit and what is there (real-api-facts.md 9.5). */
  readonly forwardAvailable: bigint;
}

/** The balances of a card: `sum` is its opening balance and all its transactions. */
export function cardBalancesOf(sum: bigint, creditLimit: bigint): CardBalances {
  return { expected: sum, forwardAvailable: creditLimit + sum };
}
