import {
  currency,
  date,
  listOf,
  money,
  object,
  optional,
  some,
  texts,
  truth,
  type ValueOf,
  whole,
  words,
} from '../../values/allowed.ts';
import {
  accountNumbers,
  type BulkPaymentItem,
  type CreditTransferInitiation,
  remittance,
} from '../../values/credit-transfer.ts';
import { type Amount, type FormattedAmount, formattedAmount } from '../../values/money.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The number of an account in a transaction. */
const accountOfTransaction = object(accountNumbers);
export type NamedAccount = ValueOf<typeof accountOfTransaction>;

/** The exchange in a transaction: the members of Berlin Group's reportExchangeRate, with the instructed amount. */
const currencyExchange = object({
  /** Optional in a mock transaction. */
  instructedAmount: optional(money()),
  sourceCurrency: currency,
  targetCurrency: currency,
  /** One unit of this currency is worth `exchangeRate`. */
  unitCurrency: currency,
  exchangeRate: words,
  quotationDate: date,
});
export type CurrencyExchange = ValueOf<typeof currencyExchange>;

/** One transfer of a batch; the dates are the batch's (interface: Account transaction). */
const entryDetails = object({
  transactionAmount: money(),
  creditorName: some,
  creditorAccount: optional(accountOfTransaction),
  ultimateDebtor: some,
  ...remittance,
});
export type EntryDetails = ValueOf<typeof entryDetails>;

/** The members of a transaction other than its amount and dates (real-api-facts.md 10). Stored as JSON for a mock transaction. */
export const transactionDetails = object({
  ...remittance,
  /** Texts of a mock transaction (rules.md D3f). Left out: the list is the one text. */
  remittanceInformationUnstructuredArray: optional(listOf(words)),
  ...texts('creditorId', 'creditorName', 'ultimateCreditor', 'debtorName', 'ultimateDebtor', 'purposeCode'),
  ...texts('bankTransactionCode', 'proprietaryBankTransactionCode', 'mandateId'),
  ...texts('additionalInformation', 'additionalInformationProprietaryX'),
  creditorAccount: optional(accountOfTransaction),
  debtorAccount: optional(accountOfTransaction),
  /** The BIC of the creditor's bank. */
  creditorAgent: some,
  /** The BIC of the debtor's bank. */
  debtorAgent: some,
  /** Both are set when the amount was instructed in another currency than the account's (rules.md P11). */
  originalAmount: optional(money()),
  currencyExchange: optional(listOf(currencyExchange)),
  /** Set for a batch. `entryDetails`, its transfers, are in the read of one transaction only. */
  batchIndicator: optional(truth),
  batchNumberOfTransactions: optional(whole(1, 2_147_483_647)),
  entryDetails: optional(listOf(entryDetails)),
});
export type TransactionDetails = ValueOf<typeof transactionDetails>;

/** The holder and the numbers of a payment's debtor account. */
export interface Debtor {
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
}

/** Details of a payment's transaction, from its initiation and debtor. */
export function detailsOfPayment(initiation: CreditTransferInitiation, debtor: Debtor): TransactionDetails {
  const { remittanceInformationUnstructured, remittanceInformationStructuredArray, ultimateDebtor, purposeCode } =
    initiation;
  return {
    ...(remittanceInformationUnstructured !== undefined && { remittanceInformationUnstructured }),
    ...(remittanceInformationStructuredArray !== undefined && { remittanceInformationStructuredArray }),
    creditorName: initiation.creditorName,
    creditorAccount: namedAccount(initiation.creditorAccount),
    ...(initiation.creditorAgent !== undefined && { creditorAgent: initiation.creditorAgent }),
    debtorName: debtor.name,
    debtorAccount: namedAccount(debtor),
    ...(ultimateDebtor !== undefined && { ultimateDebtor }),
    ...(purposeCode !== undefined && { purposeCode }),
  };
}

/** Details of the debit that represents a batch of a bulk payment. */
export function detailsOfBatch(debtor: Debtor, transactions: number): TransactionDetails {
  return {
    debtorName: debtor.name,
    debtorAccount: namedAccount(debtor),
    batchIndicator: true,
    batchNumberOfTransactions: transactions,
  };
}

/** One transfer of a batch, from its item as sent. */
export function entryDetailsOf(item: BulkPaymentItem, transactionAmount: FormattedAmount): EntryDetails {
  const { remittanceInformationUnstructured, remittanceInformationStructuredArray, ultimateDebtor } = item;
  return {
    transactionAmount,
    creditorName: item.creditorName,
    creditorAccount: namedAccount(item.creditorAccount),
    ...(ultimateDebtor !== undefined && { ultimateDebtor }),
    ...(remittanceInformationUnstructured !== undefined && { remittanceInformationUnstructured }),
    ...(remittanceInformationStructuredArray !== undefined && { remittanceInformationStructuredArray }),
  };
}

/** Details of the entry that is a foreign payment's fee (rules.md P11). */
export function detailsOfFee({ creditorName }: CreditTransferInitiation, debtor: Debtor): TransactionDetails {
  return {
    remittanceInformationUnstructured: `Gebyr for betaling til ${creditorName}`,
    debtorName: debtor.name,
    debtorAccount: namedAccount(debtor),
  };
}

function namedAccount({ bban, iban }: { readonly bban?: string | null; readonly iban?: string | null }): NamedAccount {
  return { ...(typeof bban === 'string' && { bban }), ...(typeof iban === 'string' && { iban }) };
}

/** A converted entry of a foreign payment, seen from its account. */
interface ExchangedLine {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly instructed: Amount;
  /** Price of one unit of the instructed currency, in the account's currency. */
  readonly rate: string;
  readonly quotationDate: LocalDate;
}

/** `originalAmount`, with the sign of the entry, and `currencyExchange` of a converted entry (rules.md P11). */
export function formatExchange({ amount, instructed, rate, quotationDate }: ExchangedLine) {
  const isDebit = amount.minor < 0n;
  const [source, target] = isDebit ? [amount, instructed] : [instructed, amount];
  const exchange: CurrencyExchange = {
    instructedAmount: formattedAmount(instructed),
    sourceCurrency: source.currency,
    targetCurrency: target.currency,
    unitCurrency: instructed.currency,
    exchangeRate: rate,
    quotationDate,
  };
  const original = isDebit ? { ...instructed, minor: -instructed.minor } : instructed;
  return { originalAmount: formattedAmount(original), currencyExchange: [exchange] };
}
