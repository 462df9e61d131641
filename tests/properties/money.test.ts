import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amountFromNumber, currencies, formatAmount, parseAmount } from '../../engine/values/money.ts';

const currency = fc.constantFrom(...currencies);
const minor = fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n });
const amount = fc.record({ minor, currency });

describe('P4: money', () => {
  test('is read back as it was written, in every currency', () => {
    fc.assert(fc.property(amount, (one) => expect(parseAmount(formatAmount(one), one.currency)).toEqual(one)));
  });

  test('has one text only: what is read is written the same', () => {
    const text = fc.stringMatching(/^-?\d{1,15}(\.\d{1,5})?$/);
    fc.assert(
      fc.property(text, currency, (written, one) => {
        const read = parseAmount(written, one);
        if (typeof read !== 'string') expect(formatAmount(read)).toBe(written);
      }),
    );
  });

  test('D3: a JSON number is the amount that its decimal text says, and never its neighbour', () => {
    const exact = fc.record({ minor: fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), currency });
    fc.assert(
      fc.property(exact, (one) => {
        expect(amountFromNumber(Number(formatAmount(one)), one.currency)).toEqual(one);
      }),
    );
  });

  test('D3: any double is an amount or refused with a text', () => {
    fc.assert(
      fc.property(fc.double(), currency, (number, one) => {
        const read = amountFromNumber(number, one);
        if (typeof read !== 'string') expect(Number(formatAmount(read))).toBe(number === 0 ? 0 : number);
      }),
    );
  });

  test('any text is an amount or refused with a text', () => {
    fc.assert(fc.property(fc.string(), currency, (text, one) => expect(() => parseAmount(text, one)).not.toThrow()));
  });
});
