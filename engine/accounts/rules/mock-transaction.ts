import type { Currency } from '../../values/currency.ts';
import type { Fault } from '../../values/fault.ts';
import { addDays, type LocalDate } from '../../values/local-date.ts';
import { clockRange } from '../../time/rules/bank-clock.ts';
import { osloDate } from '../../values/instant.ts';
import { type BankingCalendar, nextOrSame } from '../../time/rules/banking-calendar.ts';
import type { TransactionDetails } from './transaction-details.ts';
import { isForeign, kindOf } from './transaction-kind.ts';

/** Faults of a mock transaction's dates after today, each with its member (rules.md D3). Null: no such date was given. */
export function futureDates<Member extends string>(
  dates: Readonly<Record<Member, LocalDate | null>>,
  members: readonly Member[],
  today: LocalDate,
): readonly (readonly [member: Member, text: string])[] {
  return members.flatMap((member) => {
    const date = dates[member];
    if (date === null || date <= today) return [];
    const text = `${member} ${date} has not come yet: the bank's date is ${today}. Send that date or an earlier one.`;
    return [[member, text] as const];
  });
}

/** A transaction to add to an account without a payment (rules.md D3). */
export interface MockTransaction {
  /** Minor units; credit positive, debit negative. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  readonly details: TransactionDetails;
}

/**
 * FORMAT_ERROR for another currency than the account's, a zero amount, and a date after today (rules.md D3; a date is 00:00
 * in Oslo, T7). `path` is the transaction's place in the body, `[3]`. The schema has checked that the booking date is not
 * after the value date.
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
  const dates = ['bookingDate', 'valueDate'] as const;
  for (const [member, text] of futureDates(transaction, dates, bank.today)) refuse(member, text);
  return faults;
}

const calendarBegins = osloDate(clockRange.from);

/**
 * A mock transaction with the dates that the bank gives it under card-value-dates: a foreign card purchase whose dates are one is valued on
 * the banking day after it (rules.md D3c). No banking day is known before 1991.
 */
export function withCardValueDate(transaction: MockTransaction, calendar: BankingCalendar): MockTransaction {
  const { amount: minor, currency, bookingDate, valueDate, details } = transaction;
  const told = { amount: { minor, currency }, isFee: false, details };
  if (bookingDate !== valueDate || bookingDate < calendarBegins || kindOf(told) !== 'card purchase' || !isForeign(told))
    return transaction;
  return { ...transaction, valueDate: nextOrSame(addDays(bookingDate, 1), calendar) };
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
