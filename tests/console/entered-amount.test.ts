import { expect, test } from '@jest/globals';
import { enteredAmount } from '../../api/console/parts/forms.ts';
import { problemOf } from '../../api/pipeline/problem.ts';

test.each([
  ['1000', 'NOK', '1000.00'],
  ['1000.5', 'NOK', '1000.50'],
  ['55,50', 'NOK', '55.50'],
  ['1 000,50', 'NOK', '1000.50'],
  ['1\u00a0000,50', 'NOK', '1000.50'],
  ['1\u202f000 000', 'NOK', '1000000.00'],
  ['1,000.50', 'NOK', '1000.50'],
  ['1.000,50', 'NOK', '1000.50'],
  ['1,000,000', 'NOK', '1000000.00'],
  ['1.000.000,5', 'NOK', '1000000.50'],
  ['-12,5', 'NOK', '-12.50'],
  ['1000', 'JPY', '1000'],
  ['0.125', 'KWD', '0.125'],
  ['12', 'KWD', '12.000'],
])('C8: %s %s is %s', (text, currency, amount) => {
  expect(enteredAmount(text, currency)).toBe(amount);
});

test.each(['much', '', '1,00,000', '10 00', '1,000,50', '1.2.3', '--1', '1e3'])(
  'C8: %s is no amount and goes to the bank as it is',
  (text) => {
    expect(enteredAmount(text, 'NOK')).toBe(text);
  },
);

test.each([
  ['1.000', 'NOK', ['1000.00', '1.00']],
  ['1,000', 'NOK', ['1000.00', '1.00']],
  ['1.250', 'KWD', ['1250.000', '1.250']],
  ['1,000', 'JPY', ['1000', '1']],
  ['2.340', 'NOK', ['2340.00', '2.34']],
])('C8: %s %s can mean two amounts: it is refused with both', (text, currency, readings) => {
  expect(refusalOf(text, currency)).toMatchObject({
    status: 400,
    detail: `${text} can mean ${readings.join(' or ')}. Write it so that it has one meaning.`,
    allowed: readings,
    errors: [{ path: 'amount' }],
  });
});

test.each([
  ['2.345', 'NOK', '2345.00'],
  ['-12,345', 'NOK', '-12345.00'],
  ['1.500', 'JPY', '1500'],
])('C8b: %s %s has too many fraction digits: only %s is offered', (text, currency, thousands) => {
  expect(refusalOf(text, currency)).toMatchObject({
    status: 400,
    detail: `${text} has more fraction digits than ${currency} allows. If you mean ${thousands}, write that.`,
    allowed: [thousands],
    errors: [{ path: 'amount' }],
  });
});

function refusalOf(text: string, currency: string): object | undefined {
  try {
    enteredAmount(text, currency);
  } catch (error) {
    return problemOf(error)?.facts;
  }
  return undefined;
}
