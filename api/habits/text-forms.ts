import { createHash } from 'node:crypto';
import { formattedAmount } from '../../engine/accounts/rules/currency-exchange.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { dayIn, dayOf, purchaseDay, withoutDay } from './card-text.ts';
import type { Habit } from './habit.ts';
import { isObject, type JsonObject, without, withEach } from './json.ts';
import {
  isCredit,
  isForeign,
  isSalary,
  kindOf,
  otherParty,
  said,
} from '../../engine/accounts/rules/transaction-kind.ts';
import { eachCardTransaction, eachTransaction, type SeenCardTransaction } from './transactions.ts';

/** An amount as answers write it. */
interface Money {
  readonly amount: string;
  readonly currency: string;
}

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
  readonly paid: Money;
  /** The price of one unit of that currency, in the account's currency. */
  readonly rate: number;
}

/** A transfer as its texts tell it. */
interface Transfer {
  readonly direction: 'out' | 'in' | 'salary';
  /** Name or account of the other party. */
  readonly party: string;
  /** Undefined: the transfer has none. */
  readonly message: string | undefined;
  readonly paidOn: LocalDate;
}

interface Fee {
  /** What it is for. */
  readonly label: string;
  readonly amount: string;
}

/** How a bank writes texts. */
interface Form {
  readonly card: (purchase: Purchase) => string;
  /** All texts, the first of which is the text of the transaction. Null: as by default, as nobody has published them. */
  readonly transfer: ((transfer: Transfer) => readonly string[]) | null;
  /** Null: as above. */
  readonly fee: ((fee: Fee) => string) | null;
  /** False: the amount in another currency stands in the text of a card purchase only. */
  readonly hasOriginalAmount: boolean;
}

const unsigned = (amount: string): string => amount.replace('-', '');

/** The forms of texts by bank (rules.md Q5; register 17, 26 to 29). */
const forms: Readonly<Record<'sr' | 'bien', Form>> = {
  sr: {
    card: ({ text, isPending }) => (isPending ? text : text.toUpperCase()),
    transfer: null,
    fee: null,
    hasOriginalAmount: true,
  },
  bien: {
    card: ({ day, text, card, isByNumber, paid: { currency, amount }, rate }) =>
      isByNumber
        ? `*${card} ${day} ${currency} ${unsigned(amount)} ${text} Kurs: ${rate.toFixed(4)}`
        : `${day} ${text.toUpperCase()}`,
    transfer: ({ direction, party, message, paidOn }) => {
      if (direction === 'out') return [`Til: ${party}`];
      if (direction === 'salary') return [`Fra: ${party}`];
      const paid = `Fra: ${party} Betalt: ${dayOf(paidOn)}.${paidOn.slice(2, 4)}`;
      return message === undefined ? [paid] : [paid, message];
    },
    // Runs of blanks in the label are columns already.
    fee: ({ label, amount }) =>
      label.includes('  ') ? label : `${label.padEnd(28)}${'1 (stk)'.padStart(10)}${unsigned(amount).padStart(10)}`,
    hasOriginalAmount: false,
  },
};

export const habit: Habit = {
  does: 'Texts of cards, transfers, KID payments and fees have the form of this bank',
  area: 'aisp',
  banks: ['SpareBank 1 SR-Bank', 'Bien Sparebank'],
  lines: {
    H12: {
      what: 'The text of a pending card purchase has no day at one bank and begins with `DD.MM` at another.',
      value: 'sr',
      seen: { register: [17], facts: ['textPatterns'] },
      mistake: 'A pattern that fits the texts of one bank cuts the payee out of the texts of the other.',
    },
    H13: {
      what: 'A card text has the number of the card, the day, the currency, the amount and a rate. A purchase in NOK has the rate 1.0000.',
      value: 'bien',
      seen: { register: [26], facts: ['textPatterns'], profiles: ['bien-sparebank'] },
      mistake: 'The client takes a purchase in NOK for a foreign one, because its text has a rate.',
    },
    H14: {
      what: 'The texts of fees have columns, which are padded with blanks.',
      value: 'bien',
      seen: { register: [27], facts: ['textPatterns'], profiles: ['bien-sparebank'] },
      mistake: 'The client joins the blanks into one, and so changes its own hash of the text.',
    },
    H15: {
      what: 'A transfer has the text `Til: NAME` or `Fra: NAME`. An incoming transfer has a second text, the message.',
      value: 'bien',
      seen: { register: [28], facts: ['textPatterns', 'unstructuredArray'], profiles: ['bien-sparebank'] },
      mistake: 'The client drops the second text, and with it the message of the payer.',
    },
    H16: {
      what: 'A payment with a KID has both a text and a structured reference.',
      value: 'bien',
      seen: { register: [29], facts: ['structuredReference'], profiles: ['bien-sparebank'] },
      mistake:
        'The client copies the text and the reference into a new payment. The bank refuses this payment, because a payment has only one of the two.',
    },
  },
  step: 'texts',
  show: (answer, { quirks, call }) => {
    const form = forms[quirks.get('text-forms') ?? 'bien'];
    const card = digitsOf(call?.params['accountId'] ?? '');
    const shown = eachTransaction(answer, (item, told) => {
      const isPlain = form.hasOriginalAmount || kindOf(told) !== 'card purchase';
      const left = isPlain ? item : without(item, 'originalAmount', 'currencyExchange');
      return withTexts(withPartTexts(left, told, form), textsOf(told, form, card));
    });
    return eachCardTransaction(shown, (item, seen) => withCardText(item, seen, form));
  },
  guess: { sign: /remittance|transactionDetails|originalAmount|currencyExchange/, values: ['bien', 'sr'] },
};

/** The texts of a transaction, the first of which is its text. None: they stay as they are. */
function textsOf(told: Transaction, form: Form, card: string): readonly string[] {
  const { amount, details, bookingDate, valueDate, isFee } = told;
  const text = said(details.remittanceInformationUnstructured);
  const { name, account } = otherParty(told);
  const charged = formattedAmount(amount);
  switch (kindOf(told)) {
    case 'card purchase': {
      const paid = details.originalAmount ?? details.currencyExchange?.[0]?.instructedAmount ?? charged;
      const isByNumber = isForeign(told) || /\bCCRD\b/.test(details.bankTransactionCode ?? '');
      const isPending = bookingDate === null;
      const parts = splitText(text ?? name ?? 'Varekjøp', purchaseDay(bookingDate, valueDate));
      return [form.card({ ...parts, isPending, card, isByNumber, paid, rate: rateOf(charged, paid) })];
    }
    case 'transfer': {
      const party = name ?? account?.bban ?? account?.iban;
      if (form.transfer === null || party === undefined) return [];
      const incoming = isSalary(told) ? 'salary' : 'in';
      const direction = isCredit(told) ? incoming : 'out';
      return form.transfer({ direction, party, message: text, paidOn: valueDate });
    }
    case 'fee':
      if (form.fee === null) return [];
      return [form.fee({ label: isFee ? 'Gebyr utenlandsbetaling' : (text ?? 'Gebyr'), amount: charged.amount })];
    case 'batch':
    case 'unknown':
      return [];
  }
}

function withTexts(item: JsonObject, texts: readonly string[]): JsonObject {
  const [first] = texts;
  if (first === undefined) return item;
  return { ...item, remittanceInformationUnstructured: first, remittanceInformationUnstructuredArray: texts };
}

/** The transfers of a batch that the account paid. */
function withPartTexts(item: JsonObject, told: Transaction, { transfer }: Form): JsonObject {
  if (transfer === null || isCredit(told)) return item;
  return withEach(item, 'entryDetails', (part, index) => {
    const { creditorName, creditorAccount } = told.details.entryDetails?.[index] ?? {};
    const party = creditorName ?? creditorAccount?.bban ?? creditorAccount?.iban;
    if (!isObject(part) || party === undefined) return part;
    const [text] = transfer({ direction: 'out', party, message: undefined, paidOn: told.valueDate });
    return { ...part, remittanceInformationUnstructured: text };
  });
}

function withCardText(item: JsonObject, told: SeenCardTransaction, form: Form): JsonObject {
  const { maskedPan, bookingDate, transactionDate } = told;
  const { transactionDetails: text, transactionAmount, originalAmount = transactionAmount } = item;
  if (typeof text !== 'string') return item;
  // The engine has written both.
  const [charged, paid] = [transactionAmount as Money, originalAmount as Money];
  const card = maskedPan.slice(-4);
  const parts = splitText(text, purchaseDay(bookingDate, transactionDate));
  const purchase = { ...parts, isPending: bookingDate === null, card, isByNumber: true };
  return { ...item, transactionDetails: form.card({ ...purchase, paid, rate: rateOf(charged, paid) }) };
}

/** The text of a purchase without its day, and the day: `DD.MM` of the text, else that of `day`. */
function splitText(text: string, day: string) {
  return { text: withoutDay(text), day: dayIn(text) ?? day };
}

function rateOf(charged: Money, paid: Money): number {
  const rate = Math.abs(Number(charged.amount) / Number(paid.amount));
  return Number.isFinite(rate) ? rate : 1;
}

/** Four digits that stand for the card of an account, as its transactions name none. */
function digitsOf(accountId: string): string {
  const number = createHash('sha256').update(accountId).digest().readUInt32BE(0) % 10_000;
  return String(number).padStart(4, '0');
}
