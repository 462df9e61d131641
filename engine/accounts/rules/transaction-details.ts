import type { BulkPaymentItem, CreditTransferInitiation, StructuredRemittance } from '../../values/credit-transfer.ts';
import { type Amount, formatAmount } from '../../values/money.ts';
import type { Currency } from '../../values/currency.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** The number of an account in a transaction. */
export interface NamedAccount {
  readonly bban?: string;
  readonly iban?: string;
}

/** The members of a transaction other than its amount and dates (real-api-facts.md 10). Stored as JSON for a mock transaction. */
export interface TransactionDetails {
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
  readonly creditorId?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: NamedAccount;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: NamedAccount;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly mandateId?: string;
  /** The BIC of the debtor's bank. */
  readonly debtorAgent?: string;
  readonly additionalInformation?: string;
  readonly additionalInformationProprietaryX?: string;
  /** The BIC of the creditor's bank. */
  readonly creditorAgent?: string;
  /** Both are set when the amount was instructed in another currency than the account's (rules.md P11). */
  readonly originalAmount?: FormattedAmount;
  readonly currencyExchange?: readonly CurrencyExchange[];
  /** Set for a batch. `entryDetails`, its transfers, are in the read of one transaction only. */
  readonly batchIndicator?: boolean;
  readonly batchNumberOfTransactions?: number;
  readonly entryDetails?: readonly EntryDetails[];
}

/** One transfer of a batch; the dates are the batch's (interface: Account transaction). */
export interface EntryDetails extends Pick<
  TransactionDetails,
  | 'creditorName'
  | 'creditorAccount'
  | 'ultimateDebtor'
  | 'remittanceInformationUnstructured'
  | 'remittanceInformationStructuredArray'
> {
  readonly transactionAmount: FormattedAmount;
}

/** The holder and the numbers of a payment's debtor account. */
interface Debtor {
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
    remittanceInformationUnstructured: `Fee for the payment to ${creditorName}`,
    debtorName: debtor.name,
    debtorAccount: namedAccount(debtor),
  };
}

function namedAccount({ bban, iban }: { readonly bban?: string | null; readonly iban?: string | null }): NamedAccount {
  return { ...(typeof bban === 'string' && { bban }), ...(typeof iban === 'string' && { iban }) };
}

/** What a kind is told by. */
interface ToldTransaction {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  /** Whether it is the fee of a payment (rules.md P11). */
  readonly isFee: boolean;
  readonly details: TransactionDetails;
}

/** What a transaction is to the habits of texts, codes and dates (rules.md Q5b, D3c). */
type TransactionKind = 'card purchase' | 'transfer' | 'fee' | 'batch' | 'unknown';

/* ISO codes, those of domain CARD and BOOK are a bank's own. */
const cardCode = /^CARD\b|\b[CM]CRD\b/;
const feeCode = /^BOOK-EXPS\b|\b(CHRG|FEES|COMM)$/;
const transferCode = /\b(ICDT|RCDT|IICT|IRCT|RRCT)\b/;

/** The bank's own code of a card purchase (register 33). */
export const purchaseCode = 'R_710';

/**
 * The kind of a transaction (rules.md Q5b): what the engine knows, else what its codes say, else what it tells: a reference, a mandate,
 * an account of the other party, or the name of a debtor make it a transfer, and any other debit is a card purchase.
 */
export function kindOf(transaction: ToldTransaction): TransactionKind {
  const { details, isFee } = transaction;
  const { bankTransactionCode: code = '', proprietaryBankTransactionCode: own } = details;
  if (isFee || feeCode.test(code)) return 'fee';
  if (details.batchIndicator === true || details.batchNumberOfTransactions !== undefined) return 'batch';
  if (cardCode.test(code) || own === purchaseCode) return 'card purchase';
  const { name, account } = otherParty(transaction);
  const isNamed = account !== undefined || (isCredit(transaction) && name !== undefined);
  const isMandated = (said(details.mandateId) ?? said(details.creditorId)) !== undefined;
  if (isNamed || isMandated || transferCode.test(code) || hasReference(transaction)) return 'transfer';
  return isCredit(transaction) ? 'unknown' : 'card purchase';
}

export function isCredit({ amount }: Pick<ToldTransaction, 'amount'>): boolean {
  return amount.minor > 0n;
}

/** Whether it has a structured reference, as a KID payment has. */
export function hasReference({ details }: Pick<ToldTransaction, 'details'>): boolean {
  return details.remittanceInformationStructuredArray !== undefined;
}

/** Whether its code or its purpose is a salary. */
export function isSalary({ details }: Pick<ToldTransaction, 'details'>): boolean {
  return /\bSALA$/.test(details.bankTransactionCode ?? '') || details.purposeCode === 'SALA';
}

/** Whether it was paid in another currency than the account's, or to an account abroad. */
export function isForeign(transaction: Pick<ToldTransaction, 'amount' | 'details'>): boolean {
  const { amount, details } = transaction;
  const { originalAmount, currencyExchange } = details;
  const iban = otherParty(transaction).account?.iban ?? 'NO';
  const isExchanged = currencyExchange !== undefined && currencyExchange.length > 0;
  return isExchanged || (originalAmount?.currency ?? amount.currency) !== amount.currency || !iban.startsWith('NO');
}

/** Who was paid, or who paid. */
interface Party {
  readonly name: string | undefined;
  readonly account: NamedAccount | undefined;
}

/** The party of a transaction that does not hold the account. */
export function otherParty({ amount, details }: Pick<ToldTransaction, 'amount' | 'details'>): Party {
  const { creditorName, creditorAccount, debtorName, debtorAccount } = details;
  return isCredit({ amount })
    ? { name: said(debtorName), account: debtorAccount }
    : { name: said(creditorName), account: creditorAccount };
}

/** A text; undefined: it is empty or missing, which for a mock transaction is the same. */
export function said(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** An amount as the interface writes it. */
export interface FormattedAmount {
  readonly amount: string;
  readonly currency: Currency;
}

/** The exchange in a transaction: the members of Berlin Group's reportExchangeRate, with the instructed amount. */
export interface CurrencyExchange {
  /** Optional in a mock transaction. */
  readonly instructedAmount?: FormattedAmount;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** One unit of this currency is worth `exchangeRate`. */
  readonly unitCurrency: string;
  readonly exchangeRate: string;
  readonly quotationDate: LocalDate;
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

/** Formats an amount for the interface: a decimal string with its currency. */
export function formattedAmount(amount: Amount): FormattedAmount {
  return { amount: formatAmount(amount), currency: amount.currency };
}
