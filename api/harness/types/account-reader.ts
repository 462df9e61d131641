import type { ReadAccount, ReadBalance, ReadBookedTransaction, ReadTransaction } from './answers.ts';

/**
 * Reads accounts with a PSU's consent, as an AISP. An account is named by BBAN, IBAN or resourceId; of one that the PSU has not granted,
 * or that was deleted, the reading throws a BankError with `status` 404 and `code` RESOURCE_UNKNOWN, as the bank refuses it.
 */
export interface AccountReader {
  /** Name the PSU and the session, for a request of `tpp.fetch`: `psu-id`, `tpp-session-id`, of a corporation `psu-corporate-id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The accounts that the PSU granted. */
  accounts(options?: ReadOptions): Promise<readonly ReadAccount[]>;
  /** Throws a BankError for an account that the PSU has not granted, 404 RESOURCE_UNKNOWN. */
  balances(account: string, options?: ReadOptions): Promise<readonly ReadBalance[]>;
  /** Booked and pending transactions, of all pages. Throws as `balances` does. */
  transactions(account: string, options?: TransactionPeriod): Promise<ReadTransactions>;
  /**
   * A booked transaction, by the `transactionId` that `transactions` gives: that of a bulk payment has its transfers in `entryDetails`. Throws
   * as `balances` does, and for an id that the account does not have, 403 RESOURCE_UNKNOWN.
   */
  transaction(account: string, transactionId: string, options?: ReadOptions): Promise<ReadBookedTransaction>;
}

export interface ReadOptions {
  /**
   * The PSU is not there: `PSU-IP-Address` is left out. In 24 hours of bank time an account has 4 such reads of balances, 4 of lists of
   * transactions and 4 of single ones; one more is refused, 429 ACCESS_EXCEEDED.
   */
  readonly unattended?: boolean;
}

export interface TransactionPeriod extends ReadOptions {
  /** The first booking date, `2027-03-01`. Left out: as far back as the bank gives. */
  readonly from?: string;
  /** The last booking date. Left out: today. */
  readonly to?: string;
}

export interface ReadTransactions {
  readonly booked: readonly ReadBookedTransaction[];
  readonly pending: readonly ReadTransaction[];
}
