import type {
  GivenNumbers,
  BulkPaymentItem,
  CreditTransferInitiation,
  Remittance,
} from '../../values/credit-transfer.ts';
import { absolute, type Amount, type Currency, type FormattedAmount, formattedAmount } from '../../values/money.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The exchange in a transaction: the members of Berlin Group's reportExchangeRate, with the instructed amount. */
export interface CurrencyExchange {
  /** Optional in a mock transaction. */
  readonly instructedAmount?: FormattedAmount;
  readonly sourceCurrency: Currency;
  readonly targetCurrency: Currency;
  /** One unit of this currency is worth `exchangeRate`. */
  readonly unitCurrency: Currency;
  readonly exchangeRate: string;
  readonly quotationDate: LocalDate;
}

/** One transfer of a batch; the dates are the batch's (interface: Account transaction). */
export interface EntryDetails extends Remittance {
  readonly transactionAmount: FormattedAmount;
  readonly creditorName?: string;
  readonly creditorAccount?: GivenNumbers;
  readonly ultimateDebtor?: string;
}

/**
 * The members of a transaction other than its amount and dates (real-api-facts.md 10). Stored as JSON for a mock
 * transaction.
 */
export interface TransactionDetails extends Remittance {
  /** Texts of a mock transaction (rules.md D3f). If it is left out, the list is the one text. */
  readonly remittanceInformationUnstructuredArray?: readonly string[];
  readonly creditorId?: string;
  readonly creditorName?: string;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly mandateId?: string;
  readonly additionalInformation?: string;
  readonly additionalInformationProprietaryX?: string;
  readonly creditorAccount?: GivenNumbers;
  readonly debtorAccount?: GivenNumbers;
  /** The BIC of the creditor's bank. */
  readonly creditorAgent?: string;
  /** The BIC of the debtor's bank. */
  readonly debtorAgent?: string;
  /** Both are set when the amount was instructed in another currency than the account's (rules.md P11). */
  readonly originalAmount?: FormattedAmount;
  readonly currencyExchange?: readonly CurrencyExchange[];
  /** Set for a batch. `entryDetails`, its transfers, are in the read of one transaction only. */
  readonly batchIndicator?: boolean;
  readonly batchNumberOfTransactions?: number;
  readonly entryDetails?: readonly EntryDetails[];
}

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

/** The text of a batch: `Samlepost, 4 betalinger, NOK 62854.00` (docs/account-information.md). */
export function textOfBatch(transactions: number, { minor, currency }: Amount): string {
  const { amount } = formattedAmount(absolute({ minor, currency }));
  return `Samlepost, ${transactions} ${transactions === 1 ? 'betaling' : 'betalinger'}, ${currency} ${amount}`;
}

/** Details of the debit that represents a batch of a bulk payment, which is of this amount. */
export function detailsOfBatch(debtor: Debtor, transactions: number, amount: Amount): TransactionDetails {
  return {
    remittanceInformationUnstructured: textOfBatch(transactions, amount),
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

function namedAccount({ bban, iban }: { readonly bban?: string | null; readonly iban?: string | null }): GivenNumbers {
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
