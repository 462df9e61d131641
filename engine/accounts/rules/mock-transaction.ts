import type { Currency } from '../../values/money.ts';
import type { Fault } from '../../values/fault.ts';
import { type LocalDate } from '../../values/local-date.ts';
import { clockRange } from '../../time/rules/bank-clock.ts';
import { osloDate } from '../../values/instant.ts';
import { type BankingCalendar, nextBankingDay } from '../../time/rules/banking-calendar.ts';
import type { TransactionDetails } from './transaction-details.ts';
import { isPaidAbroad, kindOf } from './bank-texts.ts';

/** Why a mock transaction may not have this date, or null if the date has come (rules.md D3). */
export function futureDate(member: 'valueDate' | 'transactionDate', date: LocalDate, today: LocalDate): string | null {
  if (date <= today) return null;
  return `${member} ${date} has not come yet: the bank's date is ${today}. Send that date or an earlier one.`;
}

/** A transaction to add to an account without a payment (rules.md D3). */
export interface MockTransaction {
  /** Minor units; credit positive, debit negative. */
  readonly amount: bigint;
  readonly currency: Currency;
  /** After today. It is pending until then; without a date it is pending until it is deleted (rules.md D3d). */
  readonly bookingDate: LocalDate | null;
  readonly valueDate: LocalDate;
  readonly details: TransactionDetails;
}

/** Whether a mock transaction is not booked yet (rules.md D3d). */
export function isAnnounced({ bookingDate }: Pick<MockTransaction, 'bookingDate'>, today: LocalDate): boolean {
  return bookingDate === null || bookingDate > today;
}

/**
 * FORMAT_ERROR for another currency than the account's, a zero amount, and a value date after today if it is booked
 * (rules.md D3, D3d; a date is 00:00 in Oslo, T7). `path` is the transaction's place in the body, `[3]`. The schema has
 * checked that the booking date is not after the value date.
 */
export function checkMockTransaction(
  transaction: MockTransaction,
  bank: { readonly currency: Currency; readonly today: LocalDate },
  path: string,
): readonly Fault[] {
  const faults: Fault[] = [];
  const refuse = (member: string, text: string) =>
    faults.push({ code: 'FORMAT_ERROR', path: `${path}.${member}`, text });
  if (transaction.currency !== bank.currency) {
    refuse(
      'currency',
      `The transaction is in ${transaction.currency}, the account in ${bank.currency}. Send ${bank.currency}.`,
    );
  }
  if (transaction.amount === 0n) {
    refuse('amount', 'The amount is zero. Send a credit above zero or a debit below it.');
  }
  const early = isAnnounced(transaction, bank.today)
    ? null
    : futureDate('valueDate', transaction.valueDate, bank.today);
  if (early !== null) refuse('valueDate', early);
  return faults;
}

const [calendarBegins, calendarEnds] = [osloDate(clockRange.from), osloDate(clockRange.to)];

/**
 * A mock transaction with the dates that the bank gives it under card-value-dates: a foreign card purchase whose dates
 * are one is valued on the banking day after it (rules.md D3c). Of years that no clock of a bank shows, no banking day
 * is known.
 */
export function withCardValueDate(transaction: MockTransaction, calendar: BankingCalendar): MockTransaction {
  const { amount: minor, currency, bookingDate, valueDate, details } = transaction;
  const traits = { amount: { minor, currency }, isFee: false, details };
  if (bookingDate !== valueDate || bookingDate < calendarBegins || bookingDate > calendarEnds) return transaction;
  if (kindOf(traits) !== 'card purchase' || !isPaidAbroad(traits)) return transaction;
  return { ...transaction, valueDate: nextBankingDay(bookingDate, calendar) };
}

/** FORMAT_ERROR for each of amount, currency and dates that differs from the posted transaction. */
export function checkSameTransaction(
  wanted: MockTransaction,
  posted: Pick<MockTransaction, 'amount' | 'currency' | 'bookingDate' | 'valueDate'>,
): readonly Fault[] {
  return (['amount', 'currency', 'bookingDate', 'valueDate'] as const).flatMap((path): Fault[] => {
    if (wanted[path] === posted[path]) return [];
    const text = `The ${path} of a transaction stays as it was posted. Send that one, or DELETE the transaction and POST another.`;
    return [{ code: 'FORMAT_ERROR', path, text }];
  });
}
