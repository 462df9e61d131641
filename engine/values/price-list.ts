import { type Amount, type Currency, minorUnits } from './money.ts';
import { localDate, type LocalDate } from './local-date.ts';
import { products, type ForeignProduct } from './product.ts';
import { assert } from './assert.ts';
import { withoutTrailing } from './text.ts';

/** Exchange rates and fees of foreign payments (rules.md P11): fixtures/exchange-rates.json and fixtures/fees.json. */
export interface PriceList {
  readonly quotationDate: LocalDate;
  /** NOK per unit of each foreign currency. */
  readonly nokPerUnit: ReadonlyMap<Currency, Rate>;
  /** In minor units of NOK. */
  readonly fees: Readonly<Record<ForeignProduct, bigint>>;
}

/** No rates and no fees: such a bank pays in NOK only. */
export const noPrices: PriceList = {
  quotationDate: localDate('2000-01-01'),
  nokPerUnit: new Map(),
  fees: { [products.sepa]: 0n, [products.crossBorder]: 0n },
};

const one: Rate = { digits: 1n, scale: 0 };

/** Units of `to` per unit of `from`; null when the bank has no rate for one of them. */
export function rateBetween(from: Currency, to: Currency, prices: PriceList): Rate | null {
  if (from === to) return one;
  const [dividend, divisor] = [nokRate(from, prices), nokRate(to, prices)];
  if (dividend === null || divisor === null) return null;
  // A rate to NOK is the quoted one, not rounded.
  return to === 'NOK' ? dividend : divideRates(dividend, divisor);
}

function nokRate(currency: Currency, { nokPerUnit }: PriceList): Rate | null {
  return currency === 'NOK' ? one : (nokPerUnit.get(currency) ?? null);
}

/** An exact decimal number above zero, `digits / 10^scale`: 11.4250 is 114250 with scale 4. */
export interface Rate {
  readonly digits: bigint;
  readonly scale: number;
}

/** Fraction digits of a rate between two foreign currencies. */
const crossScale = 10;

/**
 * Parses a decimal string above zero, with at most 9 digits before the point and 10 after it; null for anything else.
 */
export function parseRate(text: string): Rate | null {
  const [, whole = '', fraction = ''] = /^(0|[1-9]\d{0,8})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  const digits = BigInt(whole + fraction);
  return whole === '' || digits === 0n ? null : { digits, scale: fraction.length };
}

/** `11.425`: without zeros at the end. */
export function formatRate({ digits, scale }: Rate): string {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = withoutTrailing(text.slice(text.length - scale), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Divides two rates, rounded half even to ten fraction digits. Conversion uses this rounded rate, which is also shown.
 */
export function divideRates(dividend: Rate, divisor: Rate): Rate {
  const digits = divideHalfEven(
    dividend.digits * 10n ** BigInt(divisor.scale + crossScale),
    divisor.digits * 10n ** BigInt(dividend.scale),
  );
  assert(digits > 0n, 'no two currencies are so far apart that a rate of ten fraction digits is zero');
  return { digits, scale: crossScale };
}

/**
 * Converts an amount at `rate` units of `to` per unit of its own currency, rounded half even to the minor unit
 * (rules.md P11).
 */
export function convert(amount: Amount, rate: Rate, to: Currency): Amount {
  const minor = divideHalfEven(
    amount.minor * rate.digits * 10n ** BigInt(minorUnits(to)),
    10n ** BigInt(minorUnits(amount.currency) + rate.scale),
  );
  return { minor, currency: to };
}

/** Divides and rounds half even. Neither number may be negative. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}
