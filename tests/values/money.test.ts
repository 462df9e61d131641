import { describe, expect, test } from '@jest/globals';
import {
  amountFromNumber,
  type Currency,
  formatAmount,
  parseAmount,
  parseInstructedAmount,
  parseSandboxAmount,
} from '../../engine/values/money.ts';

describe('P4: a decimal string is an amount', () => {
  test.each<[string, Currency, bigint]>([
    ['100.00', 'NOK', 10_000n],
    ['0.01', 'NOK', 1n],
    ['0.00', 'NOK', 0n],
    ['-21.10', 'NOK', -2110n],
    ['100', 'JPY', 100n],
    ['1.234', 'KWD', 1234n],
    ['1.00000', 'XDR', 100_000n],
    ['9999999999999.99', 'NOK', 999_999_999_999_999n],
  ])('%s %s', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
    expect(formatAmount({ minor, currency })).toBe(text);
  });

  test.each<[string, Currency, string]>([
    ['100', 'NOK', 'NOK amounts have 2 fraction digits, for example "100.00"'],
    ['100.0', 'NOK', '1 fraction digit'],
    ['100.000', 'NOK', '3 fraction digits'],
    ['1.234', 'JPY', 'it has 3 fraction digits; JPY amounts have no fraction digits, for example "1234"'],
    ['0.125', 'JPY', 'JPY amounts have no fraction digits, for example "100"'],
    ['100.00', 'JPY', 'JPY amounts have no fraction digits, for example "100"'],
    ['1.23', 'KWD', 'KWD amounts have 3 fraction digits'],
    ['10000000000000.00', 'NOK', '14 digits before the point'],
    ['00.10', 'NOK', 'zero'],
    ['007.00', 'NOK', 'zero'],
    ['-0.00', 'NOK', 'sign'],
  ])('%s %s is refused', (text, currency, reason) => {
    expect(parseAmount(text, currency)).toContain(reason);
  });

  test.each(['', ' ', '+1.00', '1,00', '1.00 ', ' 1.00', '1e2', '1E2', '0x10', '.50', '1.', '1 000.00', '١.٠٠', 'NaN'])(
    '%j is no decimal number',
    (text) => {
      expect(parseAmount(text, 'NOK')).toContain('no decimal number');
    },
  );

  test.each(['0.00', '-1.00'])('%s cannot be paid', (text) => {
    expect(parseInstructedAmount(text, 'NOK')).toContain('greater than zero');
  });

  test('the least amount can be paid', () => {
    expect(parseInstructedAmount('0.01', 'NOK')).toEqual({ minor: 1n, currency: 'NOK' });
  });
});

describe('D3: a JSON number of a sandbox body is an amount', () => {
  test.each<[number, Currency, bigint]>([
    [10_000, 'NOK', 1_000_000n],
    [-21.1, 'NOK', -2110n],
    [0.29, 'NOK', 29n],
    [0.57, 'NOK', 57n],
    [1.005, 'KWD', 1005n],
    [0, 'NOK', 0n],
    [-0, 'NOK', 0n],
    [3_326_011, 'JPY', 3_326_011n],
    [999_999_999_999_999, 'NOK', 99_999_999_999_999_900n],
  ])('%d %s', (value, currency, minor) => {
    expect(amountFromNumber(value, currency)).toEqual({ minor, currency });
  });

  test.each<[number, Currency, string]>([
    [1.005, 'NOK', 'more than 2 fraction digits'],
    [0.1, 'JPY', 'more than no fraction digits'],
    [0.1 + 0.2, 'NOK', 'more than 2 fraction digits'],
    [1e-7, 'XDR', 'more than 5 fraction digits'],
    [2 ** 53, 'JPY', '2^53'],
    [-(2 ** 60), 'NOK', '2^53'],
    [1e21, 'NOK', '2^53'],
    [Infinity, 'NOK', 'finite'],
    [NaN, 'NOK', 'finite'],
    [90_071_992_547_409.91, 'NOK', 'send it as a string'],
  ])('%d %s is refused', (value, currency, reason) => {
    expect(amountFromNumber(value, currency)).toContain(reason);
  });

  test('P4: a decimal string is taken there too, with exactly its digits', () => {
    expect(parseSandboxAmount('-5.00', 'NOK')).toEqual({ minor: -500n, currency: 'NOK' });
    expect(parseSandboxAmount('5', 'NOK')).toContain('2 fraction digits');
    expect(parseSandboxAmount(5, 'NOK')).toEqual({ minor: 500n, currency: 'NOK' });
  });

  test.each<[number | string, Currency]>([
    [2_000_000_000_000_000, 'NOK'],
    ['9999999999999.99999', 'XDR'],
    ['-1000000000000.00001', 'XDR'],
    [1_000_000_000_001, 'XDR'],
  ])('P4: %s %s is beyond 10^17 minor units, in either form', (value, currency) => {
    expect(parseSandboxAmount(value, currency)).toContain('10^17');
  });
});
