import { expect, test } from '@jest/globals';
import { nearest } from '../../api/faults/nearest.ts';

const words = ['port', 'host', 'ledger', 'clock-now', 'quirks', 'fixtures', 'bank', 'settlement-times'];

test.each([
  ['prot', 'port'],
  ['PORT', 'port'],
  ['hots', 'host'],
  ['bnak', 'bank'],
  ['quirk', 'quirks'],
  ['legder', 'ledger'],
  ['clocknow', 'clock-now'],
  ['fix', 'fixtures'],
  ['now', 'clock-now'],
  ['times', 'settlement-times'],
  ['settlment-time', 'settlement-times'],
])('%s was probably %s', (wanted, word) => {
  expect(nearest(wanted, words)).toBe(word);
});

test.each(['hard', 'help', 'x', '', 'po', 'colour', 'constructor', 'fixed-rate', 'a'.repeat(500)])(
  '%s is near none',
  (wanted) => {
    expect(nearest(wanted, words)).toBeNull();
  },
);

test('none of no words is near', () => {
  expect(nearest('port', [])).toBeNull();
});
