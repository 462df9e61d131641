import * as Type from 'typebox';
import { text, titled } from './schema.ts';
import { date } from './values.ts';
import { products } from '../../engine/values/product.ts';

/** The file fixtures/exchange-rates.json (rules.md P11). */
export const exchangeRatesFile = titled('ExchangeRates', 'What foreign currencies are worth, on a day.').closed({
  quotationDate: date,
  /** NOK for one unit, by currency code. */
  nokPerUnit: Type.Unsafe<Readonly<Record<string, string>>>({
    description: 'an object with a rate for each currency',
    type: 'object',
    minProperties: 1,
    propertyNames: { format: 'currency', not: { const: 'NOK' } },
    additionalProperties: {
      description: 'what one unit is worth in NOK, a decimal string above zero',
      type: 'string',
      format: 'rate',
      examples: ['11.8305'],
    },
  }),
});

/** The file fixtures/fees.json (rules.md P11). */
export const feesFile = titled('Fees', 'What a payment of each foreign product costs.', {
  expected: 'an object with a fee in NOK for each foreign product',
}).closed({
  currency: Type.Unsafe<'NOK'>({ description: 'NOK', const: 'NOK' }),
  [products.sepa]: fee('5.00'),
  [products.crossBorder]: fee('50.00'),
});

function fee(example: string): Type.TString {
  return text('an amount of NOK, 0.00 or more, below a million', {
    missing: `an amount of NOK such as ${example}`,
    pattern: '^(0|[1-9]\\d{0,5})\\.\\d{2}$',
    examples: ['5.00'],
  });
}
