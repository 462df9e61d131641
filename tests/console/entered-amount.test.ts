import { expect, test } from '@jest/globals';
import { enteredAmount } from '../../engine/values/money.ts';

test.each([
  ['1000', 'NOK', '1000.00'],
  ['1000.5', 'NOK', '1000.50'],
  ['55,50', 'NOK', '55.50'],
  ['1 000,50', 'NOK', '1000.50'],
  ['1\u00a0000,50', 'NOK', '1000.50'],
  ['1\u202f000 000', 'NOK', '1000000.00'],
  ['1,000.50', 'NOK', '1000.50'],
  ['1.000.000,5', 'NOK', '1000000.50'],
  ['-12,5', 'NOK', '-12.50'],
  ['1000', 'JPY', '1000'],
  ['0100.51', 'NOK', '100.51'],
  ['-00', 'NOK', '-0.00'],
  ['0.125', 'KWD', '0.125'],
  ['12', 'KWD', '12.000'],
])('C8: %s %s is %s', (text, currency, amount) => {
  expect(enteredAmount(text, currency)).toBe(amount);
});

test.each(['much', '', '1,00,000', '1,000,50', '1.2.3', '1.000.000', '--1', '1e3'])(
  'C8: %s is no amount and goes to the bank as it is',
  (text) => {
    expect(enteredAmount(text, 'NOK')).toBe(text);
  },
);

test.each(['1.000', '1,000'])(
  'C8: %s is one with three digits of a fraction, which the bank refuses in NOK',
  (text) => {
    expect(enteredAmount(text, 'NOK')).toBe('1.000');
  },
);
