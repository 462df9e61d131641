import { type Currency, minorUnits } from './currency.ts';

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
export function isWithinBalanceLimit(minor: bigint, kind: 'customer' | 'clearing' = 'customer'): boolean {
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

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;
const wholeDigits = 13;
// A decimal of at most 15 digits survives the way through a double; a longer one may come out as its neighbour.
const exactDigits = 15;

/**
 * A decimal string as an amount, or what is wrong with it. Fraction digits exactly as the currency has them, at most 13
 * digits before the point, no plus sign, exponent or leading zero (rules.md P4). A minus sign is read, `-0.00` is not.
 */
export function parseAmount(text: string, currency: Currency): Amount | string {
  const match = decimal.exec(text);
  if (match === null) return `it is no decimal number; ${expectedDigits(currency)}`;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length !== minorUnits(currency)) {
    return `it has ${count(fraction.length)}; ${expectedDigits(currency)}`;
  }
  if (whole.length > 1 && whole.startsWith('0')) return 'it starts with a zero too many; leave leading zeros out';
  if (whole.length > wholeDigits) return `it has ${whole.length} digits before the point; at most ${wholeDigits} fit`;
  const minor = BigInt(whole + fraction);
  if (sign === '-' && minor === 0n) return 'zero has no sign; leave the minus sign out';
  return { minor: sign === '-' ? -minor : minor, currency };
}

/** As parseAmount, for what is to be paid: greater than zero (rules.md P4). */
export function parseInstructedAmount(text: string, currency: Currency): Amount | string {
  const amount = parseAmount(text, currency);
  if (typeof amount === 'string' || amount.minor > 0n) return amount;
  return 'it must be greater than zero';
}

/**
 * A JSON number as an amount, or what is wrong with it; only sandbox bodies may hold one (rules.md P4, D3). It is read
 * through its shortest decimal text: fewer fraction digits than the currency has are filled up, more are refused, and
 * so is a number that a double cannot hold exactly.
 */
export function amountFromNumber(value: number, currency: Currency): Amount | string {
  if (!Number.isFinite(value)) return 'it is no finite number';
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'it is beyond 2^53, where JSON numbers lose digits';
  const match = decimal.exec(String(value));
  const fraction = match?.[3] ?? '';
  const digits = minorUnits(currency);
  if (match === null || fraction.length > digits) return `it has more than ${count(digits)}, all that ${currency} has`;
  const minor = BigInt((match[2] ?? '') + fraction.padEnd(digits, '0'));
  if (fraction !== '' && minor >= 10n ** BigInt(exactDigits)) {
    return `it has more than ${exactDigits} digits, which a JSON number cannot hold exactly; send it as a string`;
  }
  return { minor: match[1] === '-' ? -minor : minor, currency };
}

/**
 * An amount of a sandbox body: a JSON number as the interface's samples have it, or a decimal string, and no more than a
 * balance may be (rules.md P4).
 */
export function parseSandboxAmount(value: number | string, currency: Currency): Amount | string {
  const amount = typeof value === 'number' ? amountFromNumber(value, currency) : parseAmount(value, currency);
  if (typeof amount === 'string' || isWithinBalanceLimit(amount.minor)) return amount;
  return 'it is beyond 10^17 minor units, the most that the bank keeps';
}

function expectedDigits(currency: Currency): string {
  const digits = minorUnits(currency);
  const sample = digits === 0 ? '100' : `100.${'0'.repeat(digits)}`;
  return `${currency} amounts have ${count(digits)}, for example "${sample}"`;
}

function count(digits: number): string {
  return digits === 1 ? '1 fraction digit' : `${digits === 0 ? 'no' : digits} fraction digits`;
}
