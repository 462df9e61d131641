import { withinCalendar } from '../../engine/time/rules/bank-clock.ts';
import { addDays, daysBetween, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { isFinal } from '../../engine/values/transaction-status.ts';
import type { PaymentAnswer } from '../control/payments/get-payment.ts';
import { timelineBounds } from '../control/timeline.ts';

/** A window of `GET /sandbox/timeline`: two dates, both inclusive. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** What the window of a payment is found by. */
export type WindowedPayment = Pick<
  PaymentAnswer,
  'history' | 'attempts' | 'occurrences' | 'returns' | 'nextAttempt' | 'status'
>;

/** Number of dates of a standing order that its window reaches. */
const maxDates = 3;
/** How far the ends of a window are apart, in days: at most, in even halves, and at least. */
const [mostDays, leastDays] = [timelineBounds.days - 2, 6] as const;

/** From the order of these payments to the day after their last try; of a long life the part around today. */
export function windowOf(payments: readonly WindowedPayment[], today: string): Window {
  const { from, to } = wholeWindow(payments, today);
  return { from, to: withinCalendar(to) };
}

function wholeWindow(payments: readonly WindowedPayment[], today: string): Record<'from' | 'to', LocalDate> {
  const begins = payments.map(({ history }) => history[0]?.at ?? today);
  const ends = payments.flatMap(({ history, attempts, occurrences, returns, nextAttempt, status }) => [
    ...attempts.map(({ at }) => at),
    ...returns.map(({ at, due }) => at ?? due),
    ...occurrences.slice(0, maxDates).map(({ executionDate }) => executionDate),
    nextAttempt?.at ?? (isFinal(status) ? '' : today),
    history.at(-1)?.at ?? today,
  ]);
  const first = localDate((begins.toSorted()[0] ?? today).slice(0, 10));
  const last = addDays(localDate((ends.toSorted().at(-1) ?? today).slice(0, 10)), 1);
  const length = daysBetween(first, last);
  if (length < leastDays) return { from: first, to: addDays(first, leastDays) };
  if (length <= mostDays) return { from: first, to: last };
  const middle = addDays(localDate(today), -mostDays / 2);
  const latest = addDays(last, -mostDays);
  const from = middle > latest ? latest : middle < first ? first : middle;
  return { from, to: addDays(from, mostDays) };
}
