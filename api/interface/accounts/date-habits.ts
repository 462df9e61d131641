import { isForeign, kindOf } from '../../../engine/accounts/rules/transaction-kind.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import type { Bank } from '../../../engine/bank.ts';
import type { Quirk } from '../../../engine/bank/rules/quirk.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../../engine/values/instant.ts';
import type { LocalDate } from '../../../engine/values/local-date.ts';

const calendarBegins = osloDate(clockRange.from);

/** The quirks of dates (rules.md D3c) that show in these booked transactions. */
export function dateHabits(
  { quirks, runs: { calendar } }: Pick<Bank, 'quirks' | 'runs'>,
  booked: readonly Transaction[],
): readonly Quirk[] {
  const isClosed = (day: LocalDate): boolean => day >= calendarBegins && calendar.closure(day) !== null;
  const shows = (name: Quirk, transaction: Transaction): boolean => {
    const { bookingDate, valueDate } = transaction;
    if (!quirks.has(name) || bookingDate === null) return false;
    if (name === 'card-value-dates')
      return valueDate > bookingDate && kindOf(transaction) === 'card purchase' && isForeign(transaction);
    if (name === 'weekend-values') return valueDate < bookingDate && isClosed(valueDate);
    return transaction.isFee && isClosed(bookingDate);
  };
  const names = ['card-value-dates', 'weekend-values', 'month-end-bookings'] as const;
  return names.filter((name) => booked.some((transaction) => shows(name, transaction)));
}
