import { purchaseCode } from './bank-texts.ts';
import type { Amount } from '../../values/money.ts';
import type { NamedAccount, TransactionDetails } from './transaction-details.ts';

/** What determines the kind of a transaction. */
interface TransactionTraits {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  /** Whether it is the fee of a payment (rules.md P11). */
  readonly isFee: boolean;
  readonly details: TransactionDetails;
}

/** What a transaction is to the habits of texts, codes and dates (rules.md Q5b, D3c). */
type TransactionKind = 'card purchase' | 'transfer' | 'fee' | 'batch' | 'unknown';

/* What ISO codes of banks and of the standard have in common. */
const cardCode = /^CARD\b|\b[CM]CRD\b/;
const feeCode = /^BOOK-EXPS\b|\b(CHRG|FEES|COMM)$/;
const transferCode = /\b(ICDT|RCDT|IICT|IRCT|RRCT)\b/;

/**
 * The kind of a transaction (rules.md Q5b): what the engine knows, else what its codes say, else what it tells: a reference, a mandate,
 * an account of the other party, or the name of a debtor make it a transfer, and any other debit is a card purchase.
 */
export function kindOf(transaction: TransactionTraits): TransactionKind {
  const { details, isFee } = transaction;
  const { bankTransactionCode: code = '', proprietaryBankTransactionCode: own } = details;
  if (isFee || feeCode.test(code)) return 'fee';
  if (details.batchIndicator === true || details.batchNumberOfTransactions !== undefined) return 'batch';
  if (cardCode.test(code) || own === purchaseCode) return 'card purchase';
  const { name, account } = otherParty(transaction);
  const isNamed = account !== undefined || (isCredit(transaction) && name !== undefined);
  const isMandated = (nonEmpty(details.mandateId) ?? nonEmpty(details.creditorId)) !== undefined;
  if (isNamed || isMandated || transferCode.test(code) || hasReference(transaction)) return 'transfer';
  return isCredit(transaction) ? 'unknown' : 'card purchase';
}

export function isCredit({ amount }: Pick<TransactionTraits, 'amount'>): boolean {
  return amount.minor > 0n;
}

/** Whether it has a structured reference, as a KID payment has. */
export function hasReference({ details }: Pick<TransactionTraits, 'details'>): boolean {
  return details.remittanceInformationStructuredArray !== undefined;
}

/** Whether its code or its purpose is a salary. */
export function isSalary({ details }: Pick<TransactionTraits, 'details'>): boolean {
  return /\bSALA$/.test(details.bankTransactionCode ?? '') || details.purposeCode === 'SALA';
}

/** Whether it was paid in another currency than the account's, or to an account abroad. */
export function isForeign(transaction: Pick<TransactionTraits, 'amount' | 'details'>): boolean {
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
export function otherParty({ amount, details }: Pick<TransactionTraits, 'amount' | 'details'>): Party {
  const { creditorName, creditorAccount, debtorName, debtorAccount } = details;
  return isCredit({ amount })
    ? { name: nonEmpty(debtorName), account: debtorAccount }
    : { name: nonEmpty(creditorName), account: creditorAccount };
}

/** The text; undefined if it is missing or empty, which means the same in a mock transaction. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
