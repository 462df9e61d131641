/** Sums over one account, in minor units of its currency. */
export interface BalanceSums {
  /** All posted entries, booked and pending. */
  readonly posted: bigint;
  /** Of these, the ones that no run has booked yet (rules.md S6). */
  readonly pending: bigint;
  /** Booked entries whose booking date is today. */
  readonly bookedToday: bigint;
  /** Payments due today or earlier that have not settled, to the account and from it; neither is negative. */
  readonly dueIn: bigint;
  readonly dueOut: bigint;
  readonly creditLine: bigint;
}

/** Minor units of the account's currency, by balance type (rules.md S8). */
export interface Balances {
  readonly openingBooked: bigint;
  readonly interimBooked: bigint;
  readonly interimAvailable: bigint;
  readonly expected: bigint;
}

/**
 * The balances of rules.md S8. `openingBooked` and `interimBooked` differ by the booked transactions of today, as a TPP
 * reads them; `interimAvailable` is what a settlement run judges (S4).
 */
export function balancesOf(sums: BalanceSums): Balances {
  const booked = sums.posted - sums.pending;
  return {
    openingBooked: booked - sums.bookedToday,
    interimBooked: booked,
    interimAvailable: sums.posted + sums.creditLine,
    expected: sums.posted + sums.dueIn - sums.dueOut,
  };
}
