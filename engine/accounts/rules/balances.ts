/** Sums over one account, in minor units of its currency. */
export interface BalanceSums {
  /** All posted entries, booked and pending. */
  readonly posted: bigint;
  /** The part of `posted` that no run has booked yet (rules.md S6). */
  readonly pending: bigint;
  /** Booked entries whose booking date is today. */
  readonly bookedToday: bigint;
  /** Unsettled payments due today or earlier, to the account and from it; both are zero or positive. */
  readonly dueIn: bigint;
  readonly dueOut: bigint;
  readonly creditLine: bigint;
  /** Debits that are reserved, and credits that are announced (S8b); both are zero or positive. */
  readonly reserved: bigint;
  readonly announced: bigint;
}

/** Minor units of the account's currency, by balance type (rules.md S8). */
export interface Balances {
  readonly openingBooked: bigint;
  readonly interimBooked: bigint;
  readonly interimAvailable: bigint;
  readonly expected: bigint;
}

/**
 * Computes the balances of rules.md S8. `openingBooked` and `interimBooked` differ by today's booked transactions;
 * `interimAvailable` is what a settlement run checks (S4).
 */
export function balancesOf(sums: BalanceSums): Balances {
  const booked = sums.posted - sums.pending;
  return {
    openingBooked: booked - sums.bookedToday,
    interimBooked: booked,
    interimAvailable: sums.posted + sums.creditLine - sums.reserved,
    expected: sums.posted + sums.dueIn - sums.dueOut - sums.reserved + sums.announced,
  };
}
