import type { Money } from './money.ts';

/** Reads accounts with a PSU's consent, as an AISP. An account is named by BBAN, IBAN or resourceId. */
export interface AccountReader {
  /** Name the PSU and the session, for a request of `tpp.fetch`: `psu-id`, `tpp-session-id`, of a corporation `psu-corporate-id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The accounts that the PSU granted. */
  accounts(): Promise<readonly ReadAccount[]>;
  balances(account: string): Promise<readonly ReadBalance[]>;
  /** Booked and pending transactions, of all pages. */
  transactions(account: string, options?: TransactionPeriod): Promise<ReadTransactions>;
}

export interface TransactionPeriod {
  /** The first booking date, `2027-03-01`. Left out: as far back as the bank gives. */
  readonly from?: string;
  /** The last booking date. Left out: today. */
  readonly to?: string;
}

/** As `GET /v1/accounts` has it. */
export interface ReadAccount {
  readonly resourceId: string;
  readonly bban?: string;
  readonly iban?: string;
  readonly currency: string;
  readonly name: string;
  readonly product?: string;
}

export interface ReadBalance {
  readonly balanceType: 'openingBooked' | 'interimBooked' | 'interimAvailable' | 'expected';
  readonly balanceAmount: Money;
}

export interface ReadTransactions {
  readonly booked: readonly ReadTransaction[];
  readonly pending: readonly ReadTransaction[];
}

/** As `GET /v1/accounts/{id}/transactions` has it. */
export interface ReadTransaction {
  /** A pending one has no id. */
  readonly transactionId?: string;
  readonly bookingDate?: string;
  readonly valueDate?: string;
  /** Negative: a debit. */
  readonly transactionAmount: Money;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
}
