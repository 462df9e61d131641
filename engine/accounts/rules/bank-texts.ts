import type { LocalDate } from '../../values/local-date.ts';
import type { FormattedAmount, Amount } from '../../values/money.ts';
import type { TransactionDetails } from './transaction-details.ts';

/*
 * How banks write the texts and codes of transactions (rules.md Q5, Q5b; register 17, 20, 26 to 33), said once: lives
 * post them, quirks show them, drift reads them in recordings.
 */

/** ISO codes of card purchases, by kind of card, and of fees: a bank's own (register 20, 32). */
export const isoCodes = {
  domestic: 'CARD-NCRD-POSD',
  visa: 'CARD-CCRD-POSD',
  foreign: 'CARD-CCRD-XBPO',
  fee: 'BOOK-EXPS-BANK',
} as const;

/** The bank's own code of a card purchase (register 33). */
export const purchaseCode = 'R_710';

/** A card purchase as its text tells it. */
interface Purchase {
  /** `DD.MM` */
  readonly day: string;
  /** The text as it was posted, without a day. */
  readonly text: string;
  readonly isPending: boolean;
  /** Four digits of the card. */
  readonly card: string;
  /** Its text names card, amount and rate. */
  readonly isByNumber: boolean;
  /** The amount in the currency of the purchase, of either sign. */
  readonly paid: FormattedAmount;
  /** The price of one unit of that currency, in the account's currency. */
  readonly rate: number;
}

interface TransferToTell {
  readonly direction: 'out' | 'in' | 'salary';
  /** Name or account of the other party. */
  readonly party: string;
  /** It is undefined if the transfer has none. */
  readonly message: string | undefined;
  readonly paidOn: LocalDate;
}

/** How a bank writes texts. What is left out is as by default, as nobody has published it. */
export interface BankTextForm {
  readonly card: (purchase: Purchase) => string;
  /** All texts, the main text of the transaction first. */
  readonly transfer?: (transfer: TransferToTell) => readonly string[];
  /** `label`: what it is for. */
  readonly fee?: (label: string, amount: string) => string;
  /** The amount in another currency stands in the text of a card purchase only. */
  readonly hidesOriginalAmount?: true;
}

const unsigned = (amount: string): string => amount.replace('-', '');

/** The forms of texts by bank (register 17, 26 to 29). */
export const textForms: Readonly<Record<'sr' | 'bien', BankTextForm>> = {
  sr: { card: ({ text, isPending }) => (isPending ? text : text.toUpperCase()) },
  bien: {
    card: ({ day, text, card, isByNumber, paid: { currency, amount }, rate }) =>
      isByNumber
        ? `*${card} ${day} ${currency} ${unsigned(amount)} ${text} Kurs: ${rate.toFixed(4)}`
        : `${day} ${text.toUpperCase()}`,
    transfer: ({ direction, party, message, paidOn }) => {
      if (direction === 'out') return [`Til: ${party}`];
      if (direction === 'salary') return [`Fra: ${party}`];
      const paid = `Fra: ${party} Betalt: ${dayAndMonth(paidOn)}.${paidOn.slice(2, 4)}`;
      return message === undefined ? [paid] : [paid, message];
    },
    // Runs of blanks in the label are columns already.
    fee: (label, amount) =>
      label.includes('  ') ? label : `${label.padEnd(28)}${'1 (stk)'.padStart(10)}${unsigned(amount).padStart(10)}`,
    hidesOriginalAmount: true,
  },
};

/** A purchase whose text names its card (register 26); the quirk `rewritten-texts` takes its day away. */
export const numberedText =
  /^\*\d{4} (?<day>\d\d\.\d\d )?(?<currency>[A-Z]{3}) (?<amount>\d+\.\d\d) (?<text>.+) Kurs: \d+\.\d{4}$/;

/* The day in the text of a card purchase: `12.03 KIOSK`, `*1044 12.03 NOK 49.90 Kiosk Kurs: 1.0000`. */
const cardPurchaseDay = /^(\*\d{4} )?(\d\d\.\d\d)(?:\.(?:\d{4}|\d\d))? /;

/** `DD.MM`, if the text has a day. */
export function dayIn(text: string): string | null {
  return cardPurchaseDay.exec(text)?.[2] ?? null;
}

/** The text without its day. */
export function withoutDay(text: string): string {
  return text.replace(cardPurchaseDay, '$1');
}

/** `DD.MM` */
export function dayAndMonth(date: LocalDate): string {
  return `${date.slice(8)}.${date.slice(5, 7)}`;
}

/** `DD.MM` of a card purchase: the earlier of its dates. `bookingDate` is null while it is pending. */
export function purchaseDay(bookingDate: LocalDate | null, otherDate: LocalDate): string {
  return dayAndMonth(bookingDate !== null && bookingDate < otherDate ? bookingDate : otherDate);
}

/** A purchase as it was posted. Amounts of either sign. */
interface PostedPurchase {
  readonly posted: string;
  /** Null while it is pending. */
  readonly bookingDate: LocalDate | null;
  readonly otherDate: LocalDate;
  /** What it cost the account. */
  readonly charged: FormattedAmount;
  /** What was paid in its own currency. */
  readonly paid: FormattedAmount;
}

/** A purchase as {@link textForms} word it. */
export function purchaseOf({
  posted,
  bookingDate,
  otherDate,
  charged,
  paid,
}: PostedPurchase): Omit<Purchase, 'card' | 'isByNumber'> {
  const rate = Math.abs(Number(charged.amount) / Number(paid.amount));
  return {
    text: numberedText.exec(posted)?.groups?.['text'] ?? withoutDay(posted),
    day: dayIn(posted) ?? purchaseDay(bookingDate, otherDate),
    isPending: bookingDate === null,
    paid,
    rate: Number.isFinite(rate) ? rate : 1,
  };
}

/** What determines the kind of a transaction. */
interface TransactionTraits {
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  /** Whether it is the fee of a payment (rules.md P11). */
  readonly isFee: boolean;
  readonly details: TransactionDetails;
}

/** What a transaction is to the quirks of texts, codes and dates (rules.md Q5b, D3c). */
type TransactionKind = 'card purchase' | 'transfer' | 'fee' | 'batch' | 'unknown';

/* What ISO codes of banks and of the standard have in common. */
const cardCode = /^CARD\b|\b[CM]CRD\b/;
const feeCode = /^BOOK-EXPS\b|\b(CHRG|FEES|COMM)$/;
const transferCode = /\b(ICDT|RCDT|IICT|IRCT|RRCT)\b/;

/**
 * The kind of a transaction (rules.md Q5b): what the engine knows, else what its codes say, else what it tells: a
 * reference, a mandate, an account of the other party, or the name of a debtor make it a transfer, and any other debit
 * is a card purchase.
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
export function isPaidAbroad(transaction: Pick<TransactionTraits, 'amount' | 'details'>): boolean {
  const { amount, details } = transaction;
  const { originalAmount, currencyExchange } = details;
  const iban = otherParty(transaction).account?.iban ?? 'NO';
  const isExchanged = currencyExchange !== undefined && currencyExchange.length > 0;
  return isExchanged || (originalAmount?.currency ?? amount.currency) !== amount.currency || !iban.startsWith('NO');
}

/** The party of a transaction that does not hold the account: who was paid, or who paid. */
export function otherParty({ amount, details }: Pick<TransactionTraits, 'amount' | 'details'>) {
  const { creditorName, creditorAccount, debtorName, debtorAccount } = details;
  return isCredit({ amount })
    ? { name: nonEmpty(debtorName), account: debtorAccount }
    : { name: nonEmpty(creditorName), account: creditorAccount };
}

/** The text; undefined if it is missing or empty, which means the same in a mock transaction. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
