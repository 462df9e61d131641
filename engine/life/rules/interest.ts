import { divideHalfEven } from '../../values/price-list.ts';
import { epochDay, type LocalDate, monthDay, yearOf } from '../../values/local-date.ts';
import type { InterestOrFee } from './persona.ts';

/** What an account moved on the days of a period. */
export interface BalanceHistory {
  /** Øre at the end of the period. */
  readonly balance: bigint;
  /** By day since 1970, the earliest first; days without entries are left out. */
  readonly moves: readonly { readonly day: number; readonly moved: bigint }[];
}

/**
 * Interest on the balances of the days from one to another, both included, in øre, zero or positive: of what stood on
 * the account (`credit`), or of what was overdrawn (`debit`). `rate` is per cent a year with two fraction digits; a
 * year has its days.
 */
export function interestOf(
  { balance, moves }: BalanceHistory,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
  { rate, side }: { readonly rate: string; readonly side: 'credit' | 'debit' },
): bigint {
  let sum = 0n;
  let end = epochDay(to);
  let current = balance;
  const first = epochDay(from);
  const add = (start: number): void => {
    const days = BigInt(Math.max(0, end - start + 1));
    const counted = side === 'credit' ? current : -current;
    if (counted > 0n) sum += counted * days;
    end = start - 1;
  };
  for (const { day, moved } of moves.toReversed()) {
    if (day < first) break;
    if (day <= end) add(day);
    current -= moved;
  }
  add(first);
  const year = yearOf(to);
  const daysOfYear = BigInt(epochDay(monthDay(year + 1, 1, 1)) - epochDay(monthDay(year, 1, 1)));
  return divideHalfEven(sum * hundredths(rate), 10_000n * daysOfYear);
}

/** What an event of interest comes to on the balances of these days, in øre: below zero if the account owes it. */
export function interestDue(
  { kind, rate }: InterestOrFee,
  history: BalanceHistory,
  period: { readonly from: LocalDate; readonly to: LocalDate },
): bigint {
  return kind === 'interest'
    ? interestOf(history, period, { rate, side: 'credit' })
    : -interestOf(history, period, { rate, side: 'debit' });
}

/** `1.25` as 125; a fee in kroner as øre. */
export function hundredths(rate: string): bigint {
  return BigInt(rate.replace('.', ''));
}
