import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Currency } from '../../engine/values/money.ts';
import {
  convert,
  divideHalfEven,
  divideRates,
  formatRate,
  parseRate,
  type Rate,
} from '../../engine/values/price-list.ts';

function rate(text: string): Rate {
  const read = parseRate(text);
  if (read === null) throw new Error(`no rate: ${text}`);
  return read;
}

describe('a rate is a decimal number above zero, exactly', () => {
  test.each([
    ['11.8305', '11.8305'],
    ['11.8300', '11.83'],
    ['1', '1'],
    ['10.0', '10'],
    ['0.00060385', '0.00060385'],
    ['123456789.0123456789', '123456789.0123456789'],
  ])('%s is shown as %s', (text, shown) => {
    expect(formatRate(rate(text))).toBe(shown);
  });

  test.each(['', '0', '0.00', '-1', '+1', '1.', '.5', '01', '1e3', '1,5', '1.12345678901', '1234567890', 'x'])(
    '%j is none',
    (text) => {
      expect(parseRate(text)).toBeNull();
    },
  );
});

describe('P11: conversion is exact, rounded half even to the minor unit', () => {
  test.each<[bigint, Currency, string, Currency, bigint, string]>([
    [10000n, 'EUR', '11.8305', 'NOK', 118305n, 'without a rest'],
    [1n, 'EUR', '11.8305', 'NOK', 12n, 'a rest above a half goes up'],
    [1n, 'EUR', '11.3305', 'NOK', 11n, 'a rest below a half goes down'],
    [1n, 'EUR', '11.5', 'NOK', 12n, 'a half goes to the even neighbour, up'],
    [1n, 'EUR', '12.5', 'NOK', 12n, 'a half goes to the even neighbour, down'],
    [100n, 'JPY', '0.064385', 'NOK', 644n, 'from a currency without minor units'],
    [644n, 'NOK', '15.53', 'JPY', 100n, 'to a currency without minor units'],
    [1000n, 'KWD', '32.8140', 'NOK', 3281n, 'from a currency with three digits'],
    [1n, 'IDR', '0.00060385', 'NOK', 0n, 'to nothing'],
    [99_999_999_999_999_99n, 'EUR', '11.8305', 'NOK', 118_304_999_999_999_988n, 'beyond 2^53'],
  ])('%d %s at %s is %s %d: %s', (minor, currency, text, to, expected) => {
    expect(convert({ minor, currency }, rate(text), to)).toEqual({ minor: expected, currency: to });
  });

  test('half even division is never further off than a half, and a half is even', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        (dividend, divisor) => {
          const quotient = divideHalfEven(dividend, divisor);
          const twiceOff = 2n * (quotient * divisor - dividend);
          expect(twiceOff <= divisor && twiceOff >= -divisor).toBe(true);
          if (twiceOff === divisor || twiceOff === -divisor) expect(quotient % 2n).toBe(0n);
        },
      ),
    );
  });

  test.each([
    ['10.0850', '11.8305', '0.8524576307'],
    ['1', '11.8305', '0.0845272812'],
    ['11.8305', '11.8305', '1'],
  ])('%s by %s is %s, ten fraction digits', (dividend, divisor, shown) => {
    expect(formatRate(divideRates(rate(dividend), rate(divisor)))).toBe(shown);
  });
});
