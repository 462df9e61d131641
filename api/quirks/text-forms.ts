import { createHash } from 'node:crypto';
import {
  purchaseOf,
  type BankTextForm,
  textForms,
  isCredit,
  isPaidAbroad,
  isSalary,
  kindOf,
  otherParty,
  nonEmpty,
} from '../../engine/accounts/rules/bank-texts.ts';
import { type FormattedAmount, formattedAmount } from '../../engine/values/money.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject, type JsonObject, without, withEach } from './json.ts';
import { eachCardTransaction, eachTransaction, type SeenCardTransaction } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'texts',
  does: 'Texts of cards, transfers, KID payments and fees have the form of this bank',
  banks: ['SpareBank 1 Sør-Norge', 'Bien Sparebank'],
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
  shape: 'values',
  step: 'texts',
  show: (answer, { quirks, call }) => {
    const form = textForms[quirks.get('text-forms') ?? 'bien'];
    const card = digitsOf(call?.params['accountId'] ?? '');
    const shown = eachTransaction(answer, (item, transaction) => {
      const isPlain = form.hidesOriginalAmount !== true || kindOf(transaction) !== 'card purchase';
      const left = isPlain ? item : without(item, 'originalAmount', 'currencyExchange');
      return withTexts(withPartTexts(left, transaction, form), textsOf(transaction, form, card));
    });
    return eachCardTransaction(shown, (item, seen) => withCardText(item, seen, form));
  },
};

/**
 * The texts of a transaction, its main text first. If there are none, they stay as they are, as those of a return do
 * (rules.md S12).
 */
function textsOf(transaction: Transaction, form: BankTextForm, card: string): readonly string[] {
  const { amount, details, bookingDate, valueDate, isFee, isReturn } = transaction;
  if (isReturn === true || details.remittanceInformationUnstructuredArray !== undefined) return [];
  const text = nonEmpty(details.remittanceInformationUnstructured);
  const { name, account } = otherParty(transaction);
  const charged = formattedAmount(amount);
  switch (kindOf(transaction)) {
    case 'card purchase': {
      const paid = details.originalAmount ?? details.currencyExchange?.[0]?.instructedAmount ?? charged;
      const isByNumber = isPaidAbroad(transaction) || /\bCCRD\b/.test(details.bankTransactionCode ?? '');
      const posted = text ?? name ?? 'Varekjøp';
      const purchase = purchaseOf({ posted, bookingDate, otherDate: valueDate, charged, paid });
      return [form.card({ ...purchase, card, isByNumber })];
    }
    case 'transfer': {
      const party = name ?? account?.bban ?? account?.iban;
      if (form.transfer === undefined || party === undefined) return [];
      const incoming = isSalary(transaction) ? 'salary' : 'in';
      const direction = isCredit(transaction) ? incoming : 'out';
      return form.transfer({ direction, party, message: text, paidOn: valueDate });
    }
    case 'fee':
      if (form.fee === undefined) return [];
      return [form.fee(isFee ? 'Gebyr utenlandsbetaling' : (text ?? 'Gebyr'), charged.amount)];
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
function withPartTexts(item: JsonObject, transaction: Transaction, { transfer }: BankTextForm): JsonObject {
  if (transfer === undefined || isCredit(transaction)) return item;
  return withEach(item, 'entryDetails', (part, index) => {
    const { creditorName, creditorAccount } = transaction.details.entryDetails?.[index] ?? {};
    const party = creditorName ?? creditorAccount?.bban ?? creditorAccount?.iban;
    if (!isObject(part) || party === undefined) return part;
    const [text] = transfer({ direction: 'out', party, message: undefined, paidOn: transaction.valueDate });
    return { ...part, remittanceInformationUnstructured: text };
  });
}

function withCardText(item: JsonObject, transaction: SeenCardTransaction, form: BankTextForm): JsonObject {
  const { maskedPan, bookingDate, transactionDate } = transaction;
  const { transactionDetails: text, transactionAmount, originalAmount = transactionAmount } = item;
  if (typeof text !== 'string') return item;
  // The engine has written both.
  const [charged, paid] = [transactionAmount as FormattedAmount, originalAmount as FormattedAmount];
  const purchase = purchaseOf({ posted: text, bookingDate, otherDate: transactionDate, charged, paid });
  return { ...item, transactionDetails: form.card({ ...purchase, card: maskedPan.slice(-4), isByNumber: true }) };
}

/** Four digits that stand for the card of an account, as its transactions name none. */
function digitsOf(accountId: string): string {
  const number = createHash('sha256').update(accountId).digest().readUInt32BE(0) % 10_000;
  return String(number).padStart(4, '0');
}
