import { createHash } from 'node:crypto';
import { formattedAmount } from '../../engine/accounts/rules/currency-exchange.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import { dayIn, purchaseDay, withoutDay } from './card-text.ts';
import type { Habit } from './habit.ts';
import { isObject, type JsonObject, without, withEach } from './json.ts';
import { type Form, forms, type Money } from './text-form.ts';
import {
  isCredit,
  isForeign,
  isSalary,
  kindOf,
  otherParty,
  said,
} from '../../engine/accounts/rules/transaction-kind.ts';
import { eachCardTransaction, eachTransaction, type SeenCardTransaction } from './transactions.ts';

/** The quirk `text-forms` (rules.md Q5; register 17, 26 to 29): texts have the form of one bank. */
export const textForms: Habit = {
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
