import * as Type from 'typebox';
import { closed } from './schema.ts';
import { date } from './values.ts';

/** The file fixtures/exchange-rates.json (rules.md P11). */
export const exchangeRatesFile = closed(
  {
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
  },
  { title: 'ExchangeRates', description: 'What foreign currencies are worth, on a day.' },
);
