import { words } from './text.ts';

/** Allowed values of every `currency` member (interface: Currency codes). */
export const currencies = words([
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL',
  'BSD BTN BWP BYR BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD',
  'EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF',
  'IDR ILS IMP INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT',
  'LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK MXN MYR MZN',
  'NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR',
  'SBD SCR SDG SEK SGD SHP SLL SOS SPL SRD STD SVC SYP SZL THB TJS TMT TND TOP TRY',
  'TTD TVD TWD TZS UAH UGX USD UYU UZS VEF VND VUV WST XAF XCD XDR XOF XPF YER ZAR',
  'ZMW ZWD',
]);

export type Currency = (typeof currencies)[number];

const currencyCodes: ReadonlySet<string> = new Set(currencies);

// ISO 4217 list one. Withdrawn codes keep the digits they had; the five that were never on it (GGP, IMP, JEP, SPL, TVD)
// have two; XDR, for which the list gives no digits, has five (rules.md P4). Intl.NumberFormat is wrong for 17 codes.
const noDigits = words(['BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF']);
const threeDigits = words(['BHD IQD JOD KWD LYD OMR TND']);
const exceptions: ReadonlyMap<Currency, number> = new Map<Currency, number>([
  ...noDigits.map((code) => [code, 0] as const),
  ...threeDigits.map((code) => [code, 3] as const),
  ['XDR', 5],
]);

/** True for a currency code of the interface; upper case only. */
export function isCurrency(text: string): text is Currency {
  return currencyCodes.has(text);
}

/** Number of fraction digits of the currency (rules.md P4). */
export function minorUnits(currency: Currency): number {
  return exceptions.get(currency) ?? 2;
}

/** Money in whole minor units of the currency: 100.00 NOK is 10000n, 100 JPY is 100n (rules.md P4). */
export interface Amount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** Balances and credit lines lie between minus and plus this many minor units (rules.md P4). */
export const balanceLimit = 10n ** 17n;

/**
 * Limit of the bank's clearing account of a currency, the other side of all customers' money: eighty customer accounts
 * at their limit. More would come too close to the 64 bits of the ledger's integers.
 */
const clearingLimit = 80n * balanceLimit;

/** Largest distance from zero, in minor units, of the balance of such an account. */
export function limitOf(kind: 'customer' | 'clearing'): bigint {
  return kind === 'customer' ? balanceLimit : clearingLimit;
}

/** True for a balance or credit line, in minor units, that such an account may have (rules.md P4). */
export function isWithinBalanceLimit(minor: bigint, kind: 'customer' | 'clearing' = 'customer'): boolean {
  return minor <= limitOf(kind) && minor >= -limitOf(kind);
}

/** An amount without its sign. */
export function absolute({ minor, currency }: Amount): Amount {
  return { minor: minor < 0n ? -minor : minor, currency };
}

/** `-21.10`: always with the fraction digits of the currency. */
export function formatAmount(amount: Amount): string {
  const digits = minorUnits(amount.currency);
  const text = absolute(amount)
    .minor.toString()
    .padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${amount.minor < 0n ? '-' : ''}${whole}${fraction}`;
}

/** An amount as the interface writes it: a decimal string with its currency. */
export interface FormattedAmount {
  readonly amount: string;
  readonly currency: Currency;
}

export function formattedAmount(amount: Amount): FormattedAmount {
  return { amount: formatAmount(amount), currency: amount.currency };
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;
const wholeDigits = 13;
// A double holds every decimal of at most 15 digits exactly; a longer one may be rounded to its neighbour.
const exactDigits = 15;

/**
 * Parses a decimal string; returns a string with the problem when it is invalid. It must have exactly the fraction
 * digits of the currency, at most 13 digits before the point, and no plus sign, exponent or leading zero (rules.md P4).
 * A minus sign is allowed, except in `-0.00`.
 */
export function parseAmount(text: string, currency: Currency): Amount | string {
  const match = decimal.exec(text);
  if (match === null) return `it is no decimal number; ${expectedDigits(currency)}`;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length !== minorUnits(currency)) {
    // Of `1,234` a form makes `1.234`: a comma between groups of three was meant where the currency has no fraction.
    const isGrouped = minorUnits(currency) === 0 && fraction.length === 3 && !whole.startsWith('0');
    return `it has ${digitsText(fraction.length)}; ${expectedDigits(currency, isGrouped ? whole + fraction : '100')}`;
  }
  if (whole.length > 1 && whole.startsWith('0')) return 'it starts with a zero too many; leave leading zeros out';
  if (whole.length > wholeDigits) return `it has ${whole.length} digits before the point; at most ${wholeDigits} fit`;
  const minor = BigInt(whole + fraction);
  if (sign === '-' && minor === 0n) return 'zero has no sign; leave the minus sign out';
  return { minor: sign === '-' ? -minor : minor, currency };
}

/** As parseAmount, for an instructed amount: it must be greater than zero (rules.md P4). */
export function parseInstructedAmount(text: string, currency: Currency): Amount | string {
  const amount = parseAmount(text, currency);
  if (typeof amount === 'string' || amount.minor > 0n) return amount;
  return 'it must be greater than zero';
}

/**
 * Reads a JSON number as an amount; returns a string with the problem when it is invalid. Only sandbox bodies have
 * numbers (rules.md P4, D3). Missing fraction digits are filled with zeros. Refused: more fraction digits than the
 * currency has, and numbers that a double cannot hold exactly.
 */
export function amountFromNumber(value: number, currency: Currency): Amount | string {
  if (!Number.isFinite(value)) return 'it is no finite number';
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'it is beyond 2^53, where JSON numbers lose digits';
  const match = decimal.exec(String(value));
  const fraction = match?.[3] ?? '';
  const digits = minorUnits(currency);
  if (match === null || fraction.length > digits)
    return `it has more than ${digitsText(digits)}, all that ${currency} has`;
  const minor = BigInt((match[2] ?? '') + fraction.padEnd(digits, '0'));
  if (fraction !== '' && minor >= 10n ** BigInt(exactDigits)) {
    return `it has more than ${exactDigits} digits, which a JSON number cannot hold exactly; send it as a string`;
  }
  return { minor: match[1] === '-' ? -minor : minor, currency };
}

/**
 * An amount of a sandbox body, within the limit of a balance (rules.md P4): a JSON number, as in the interface's
 * samples, or a decimal string.
 */
export function parseSandboxAmount(value: number | string, currency: Currency): Amount | string {
  const amount = typeof value === 'number' ? amountFromNumber(value, currency) : parseAmount(value, currency);
  if (typeof amount === 'string' || isWithinBalanceLimit(amount.minor)) return amount;
  return 'it is beyond 10^17 minor units, the most that the bank keeps';
}

/** Digits with or without groups of three, and a fraction; a single separator begins the fraction. */
const written = /^(-?)(\d+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:[.,](\d+))?$/;

/**
 * Reads an amount as people write it: `1000`, `1 000,50`, `1,234.50` (control-plane.md C8). Returns its whole part,
 * perhaps with a minus, and the digits of its fraction, perhaps none; null for a text that is no amount.
 */
export function readWritten(text: string): { readonly whole: string; readonly fraction: string } | null {
  const [found, minus = '', groups = '', fraction = ''] = written.exec(text.replaceAll(/[\s']/g, '')) ?? [];
  return found === undefined ? null : { whole: minus + groups.replaceAll(/\D/g, ''), fraction };
}

/**
 * Converts an amount as people write it (`1000`, `1 000,50`) to the bank's form, with the digits of the currency. A
 * text that is no amount stays as it is: the bank refuses it (control-plane.md C8).
 */
export function enteredAmount(text: string, currency: string): string {
  const read = readWritten(text);
  if (read === null) return text;
  const fraction = read.fraction.padEnd(isCurrency(currency) ? minorUnits(currency) : 2, '0');
  const whole = read.whole.replace(/^(-?)0+(?=\d)/, '$1');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function expectedDigits(currency: Currency, whole = '100'): string {
  const digits = minorUnits(currency);
  const sample = digits === 0 ? whole : `${whole}.${'0'.repeat(digits)}`;
  return `${currency} amounts have ${digitsText(digits)}, for example "${sample}"`;
}

function digitsText(digits: number): string {
  return digits === 1 ? '1 fraction digit' : `${digits === 0 ? 'no' : digits} fraction digits`;
}
