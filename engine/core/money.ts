import { assert } from './assert.ts';
import { minorUnits } from './currency.ts';
import type { Currency } from './currency.ts';

/** Money in whole minor units of its currency: 100.00 NOK is 10000n, 100 JPY is 100n (rules.md P4). */
export interface Amount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** No balance and no credit line may be further from zero than this many minor units (rules.md P4). */
export const balanceLimit = 10n ** 17n;

/** For example `-21.10`: always the fraction digits of the currency, a minus sign below zero. */
export function formatAmount({ minor, currency }: Amount): string {
  const digits = minorUnits(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${minor < 0n ? '-' : ''}${whole}${fraction}`;
}

/** The sum of two amounts of one currency. */
export function add(left: Amount, right: Amount): Amount {
  return { minor: left.minor + right.minor, currency: sharedCurrency(left, right) };
}

/** What remains of the first amount, below zero too. */
export function subtract(left: Amount, right: Amount): Amount {
  return { minor: left.minor - right.minor, currency: sharedCurrency(left, right) };
}

/** The same amount with the other sign. */
export function negate({ minor, currency }: Amount): Amount {
  return { minor: -minor, currency };
}

/** Below zero, zero or above it, as the first amount is less than, equal to or more than the second. */
export function compare(left: Amount, right: Amount): -1 | 0 | 1 {
  sharedCurrency(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

function sharedCurrency(left: Amount, right: Amount): Currency {
  assert(left.currency === right.currency, `${left.currency} does not mix with ${right.currency}`);
  return left.currency;
}
