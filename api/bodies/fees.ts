import * as Type from 'typebox';
import { products } from '../../engine/values/product.ts';
import { closed, text } from './schema.ts';

/** The file fixtures/fees.json (rules.md P11). */
export const feesFile = closed(
  {
    currency: Type.Unsafe<'NOK'>({ description: 'NOK', const: 'NOK' }),
    [products.sepa]: fee('5.00'),
    [products.crossBorder]: fee('50.00'),
  },
  {
    title: 'Fees',
    description: 'What a payment of each foreign product costs.',
    expected: 'an object with a fee in NOK for each foreign product',
  },
);

function fee(example: string): Type.TString {
  return text('an amount of NOK, 0.00 or more, below a million', {
    missing: `an amount of NOK such as ${example}`,
    pattern: '^(0|[1-9]\\d{0,5})\\.\\d{2}$',
    examples: ['5.00'],
  });
}
