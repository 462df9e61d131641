import { isoCodes, numberedText } from '../../engine/accounts/rules/bank-texts.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { type Members, membersOf } from './exchange.ts';

/** The amount of a transaction of a list, as it is spelled. */
export function amountIn({ transactionAmount }: Members): string {
  return String(membersOf(transactionAmount)['amount']);
}

/** A key that a transaction has in both lists. */
export function keyOf(item: Members): string {
  return JSON.stringify([item['bookingDate'], amountIn(item)]);
}

/** The recorded items that have no counterpart among ours, as many as ours has fewer. */
export function unmatched(
  recorded: readonly Members[],
  own: readonly Members[],
  key: (item: Members) => string,
): readonly Members[] {
  const left = own.map(key);
  const others = recorded.filter((item) => {
    const at = left.indexOf(key(item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return others.slice(0, Math.max(0, recorded.length - own.length));
}

const copied =
  /^(?:creditorName|debtorName|creditorId|ultimateCreditor|ultimateDebtor|purposeCode|bankTransactionCode|proprietaryBankTransactionCode|mandateId|creditorAgent|debtorAgent|additionalInformation|remittanceInformationUnstructured|originalAmount)$/;

/** A recorded transaction as the test data take it; none for one that they cannot take. */
export function mockOf(item: Members): object[] {
  const { amount, currency } = membersOf(item['transactionAmount']);
  const { bookingDate, valueDate } = item;
  if (typeof amount !== 'string' || typeof bookingDate !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(bookingDate))
    return [];
  const members = Object.entries(item).filter(([name, value]) => copied.test(name) && value !== '');
  return [{ ...Object.fromEntries(members), amount, currency, bookingDate, valueDate: valueDate ?? bookingDate }];
}

/** The bank takes a debit without a code and a party for a card purchase (rules.md Q5b). If purchases are in capitals, a text with small letters is that of a fee. */
export function codedAsFee(transaction: object): object {
  const { amount, remittanceInformationUnstructured: text } = membersOf(transaction);
  const purchase = purchaseIn(membersOf(transaction));
  if (Object.keys(purchase).length > 0) return { ...transaction, ...purchase };
  const isFee = String(amount).startsWith('-') && /[a-zæøå]/.test(String(text));
  return isFee ? { bankTransactionCode: isoCodes.fee, ...transaction } : transaction;
}

/** The code and the text of a purchase whose text names the card: `*1044 12.03 NOK 49.90 Kiosk Kurs: 1.0000` (rules.md Q5). */
export function purchaseIn({ remittanceInformationUnstructured: text }: Members): object {
  const { day = '', currency = '', amount, text: own } = numberedText.exec(String(text))?.groups ?? {};
  if (own === undefined) return {};
  return {
    bankTransactionCode: isoCodes.visa,
    remittanceInformationUnstructured: `${day}${own}`,
    ...(currency !== 'NOK' && isCurrency(currency) && { originalAmount: { currency, amount: `-${amount}` } }),
  };
}
