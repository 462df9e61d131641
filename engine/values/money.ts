import { minorUnits } from './currency.ts';
import type { Currency } from './currency.ts';

/** Money in whole minor units of its currency: 100.00 NOK is 10000n, 100 JPY is 100n (rules.md P4). */
export interface Amount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** No balance and no credit line may be further from zero than this many minor units (rules.md P4). */
export const balanceLimit = 10n ** 17n;

/**
 * What the bank's own clearing account of a currency keeps: it is the other side of all customers' money, so it holds
 * eighty accounts at their limit. Beyond it the 64 bits of the ledger end.
 */
const clearingLimit = 80n * balanceLimit;

/** How far from zero the balance of such an account may be. */
export function limitOf(kind: 'customer' | 'clearing'): bigint {
  return kind === 'customer' ? balanceLimit : clearingLimit;
}

/** Whether an account keeps a balance, or credit line, of so many minor units (rules.md P4). */
export function isKept(minor: bigint, kind: 'customer' | 'clearing' = 'customer'): boolean {
  return minor <= limitOf(kind) && minor >= -limitOf(kind);
}

/** For example `-21.10`: always the fraction digits of the currency, a minus sign below zero. */
export function formatAmount({ minor, currency }: Amount): string {
  const digits = minorUnits(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${minor < 0n ? '-' : ''}${whole}${fraction}`;
}
