import type { ReadAccount, ReadBalance, ReadBookedTransaction, ReadTransaction } from './answers.ts';

/**
 * Reads accounts with a PSU's consent, as an AISP. Name an account by BBAN, IBAN or resourceId. For an account that was deleted, or that
 * the PSU has not granted, a BankError with `status` 404 and `code` RESOURCE_UNKNOWN is thrown.
 */
export interface AccountReader {
  /** Headers for `tpp.fetch` that name PSU and session: `psu-id`, `tpp-session-id`, and `psu-corporate-id` for a corporation. */
  readonly headers: Readonly<Record<string, string>>;
  /** The accounts that the PSU granted. */
  accounts(options?: ReadOptions): Promise<readonly ReadAccount[]>;
  /** Throws a BankError for an account that the PSU has not granted, 404 RESOURCE_UNKNOWN. */
  balances(account: string, options?: ReadOptions): Promise<readonly ReadBalance[]>;
  /** Booked and pending transactions, of all pages. Throws as `balances` does. */
  transactions(account: string, options?: TransactionPeriod): Promise<ReadTransactions>;
  /**
   * A booked transaction, by its `transactionId`. A bulk payment has its transfers in `entryDetails`. Throws as `balances` does, and for
   * an id that the account does not have, 403 RESOURCE_UNKNOWN.
   */
  transaction(account: string, transactionId: string, options?: ReadOptions): Promise<ReadBookedTransaction>;
}

export interface ReadOptions {
  /**
   * The PSU is absent: the request has no `PSU-IP-Address`. In 24 hours of bank time the bank allows 4 such reads of an account's balances,
   * 4 of its list of transactions and 4 of single transactions; then 429 ACCESS_EXCEEDED.
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
