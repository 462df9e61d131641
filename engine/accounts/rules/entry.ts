import { assert } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The cause of a posting: an execution of a payment, or a direct posting without one. */
type PostingCause = { readonly executionId: number } | { readonly directPostingId: number };

/** One balanced posting between two accounts of one currency (rules.md S5). */
export interface Posting {
  readonly cause: PostingCause;
  readonly debtorAccountId: number;
  readonly creditorAccountId: number;
  /** Minor units, greater than zero. */
  readonly amount: bigint;
  /** The bank date of the run that books it (rules.md S6). */
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  /**
   * Pending before this instant, that of the first run after the posting. Null if it was booked from the start
   * (rules.md S6).
   */
  readonly bookedAt: Instant | null;
  /** The fee of a payment is a posting of its own (rules.md P11). */
  readonly isFee: boolean;
  /** The batch whose debits account information shows as one transaction. */
  readonly batchId: number | null;
}

interface Entry {
  readonly accountId: number;
  /** Credit positive, debit negative. */
  readonly amount: bigint;
}

/** The two entries of a posting, a debit and a credit. Asserts, in production too, that they sum to zero. */
export function entriesOf(posting: Posting): readonly [Entry, Entry] {
  const debit = { accountId: posting.debtorAccountId, amount: -posting.amount };
  const credit = { accountId: posting.creditorAccountId, amount: posting.amount };
  assert(posting.amount > 0n && debit.amount + credit.amount === 0n, 'a posting is greater than zero and balanced');
  return [debit, credit];
}

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
