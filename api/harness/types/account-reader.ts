import type { Links } from './bank-answer.ts';
import type { Money } from './money.ts';
import type { AccountNumbers, StructuredRemittance } from './read-payment.ts';

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

/** As `GET /v1/accounts` has it. */
export interface ReadAccount {
  readonly resourceId: string;
  readonly bban?: string;
  readonly iban?: string;
  readonly currency: string;
  readonly name: string;
  readonly product?: string;
  readonly cashAccountType?: 'CACC' | 'TAXE' | 'SVGS';
  /** Of the bank. */
  readonly bic: string;
  /** Where they were asked for: `reader.balances` asks on its own. */
  readonly balances?: readonly ReadBalance[];
  readonly _links: Links<'self' | 'balances' | 'transactions'>;
}

export interface ReadBalance {
  readonly balanceType: 'openingBooked' | 'interimBooked' | 'interimAvailable' | 'expected';
  readonly balanceAmount: Money;
}

export interface ReadTransactions {
  readonly booked: readonly ReadBookedTransaction[];
  readonly pending: readonly ReadTransaction[];
}

/** As `GET /v1/accounts/{id}/transactions` has it. A pending one has no id and no dates. */
export interface ReadTransaction {
  /** Negative: a debit. */
  readonly transactionAmount: Money;
  readonly creditorName?: string;
  readonly creditorAccount?: AccountNumbers;
  readonly creditorAgent?: string;
  readonly creditorId?: string;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: AccountNumbers;
  readonly debtorAgent?: string;
  readonly ultimateDebtor?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationUnstructuredArray?: readonly string[];
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly mandateId?: string;
  readonly additionalInformation?: string;
  readonly additionalInformationProprietaryX?: string;
  /** The amount in the currency of the payment. */
  readonly originalAmount?: Money;
  readonly currencyExchange?: readonly CurrencyExchange[];
  /** It is a bulk payment, of so many transfers. */
  readonly batchIndicator?: boolean;
  readonly batchNumberOfTransactions?: number;
  /** The transfers, when one transaction is read. */
  readonly entryDetails?: readonly BatchTransfer[];
}

export interface ReadBookedTransaction extends ReadTransaction {
  readonly transactionId: string;
  readonly bookingDate: string;
  readonly valueDate: string;
}

export interface CurrencyExchange {
  readonly instructedAmount?: Money;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** The currency of which one unit is worth the rate. */
  readonly unitCurrency: string;
  readonly exchangeRate: string;
  readonly quotationDate: string;
}

/** One transfer of a bulk payment. */
export interface BatchTransfer {
  readonly transactionAmount: Money;
  readonly creditorName?: string;
  readonly creditorAccount?: AccountNumbers;
  readonly ultimateDebtor?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
}
