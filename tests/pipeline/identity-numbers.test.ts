import { describe, expect, test } from '@jest/globals';
import { withoutIdentityNumbers } from '../../api/pipeline/secrets.ts';
import cases from '../data/national-numbers.json' with { type: 'json' };
import { knownState } from '../lab/bank.ts';

/* Identity numbers are masked wherever the bank shows what it received. The cases are public validators' own. */

const nora = '13039319955';
const stars = '*'.repeat(11);
const isNumber = (text: string) => /^\d{11}$/.test(text);

describe('the numbers of public validators', () => {
  const real = cases.cases.filter(({ value, computed2032Rule }) => isNumber(value) && computed2032Rule !== null);
  // A day that its month lacks is masked too.
  const noDay = '29029900157';
  const rest = cases.cases.filter(
    ({ value, computed2032Rule }) => isNumber(value) && computed2032Rule === null && value !== noDay,
  );

  test('there are some of both', () => {
    expect([real.length > 10, rest.length > 3]).toEqual([true, true]);
  });

  test.each(real.map(({ value, computed2032Rule }) => [value, computed2032Rule]))('%s is masked: %s', (value) => {
    expect(withoutIdentityNumbers(`a ${value} b`)).toBe(`a ${stars} b`);
  });

  test.each(rest.map(({ value }) => value))('%s is none', (value) => {
    expect(withoutIdentityNumbers(value)).toBe(value);
  });
});

test('digits of a serial number are none: a keyId is kept as received', () => {
  const keyId = (serial: string) => `keyId="SN=${serial},CA=CN=${nora}"`;
  expect(withoutIdentityNumbers(keyId(`46A${nora}D3`))).toBe(
    keyId(`46A${nora}D3`).replace(`CN=${nora}`, `CN=${stars}`),
  );
});

test('the PSUs of the known state are masked, and their accounts are not', () => {
  const text = JSON.stringify(knownState);
  const masked = withoutIdentityNumbers(text);
  const persons = knownState.customers
    .filter(({ type }) => type === 'private')
    .map(({ customerNumber }) => customerNumber);
  expect(persons.length).toBeGreaterThan(5);
  for (const number of persons) expect(masked).not.toContain(number);
  const accounts = [...text.matchAll(/"bban":"(\d{11})"/g)].map(([, bban = '']) => bban);
  expect(accounts.length).toBeGreaterThan(10);
  for (const bban of accounts) expect(masked).toContain(bban);
});

test('G11: digits of a UUID are none, as one random UUID of 23,500 ends with an identity number', () => {
  const beginning = '4eba4445-1a4b-47b8-bdd5-';
  for (const uuid of [`${beginning}a${nora}`, `${beginning}${nora}f`, `${beginning.toUpperCase()}${nora}F`])
    expect(withoutIdentityNumbers(`{"id":"${uuid}"}`)).toBe(`{"id":"${uuid}"}`);
  for (const text of [
    `${beginning}${nora}`,
    `${beginning}${nora}fa`,
    `${beginning}a ${nora}`,
    `2027-0324-1200-0000-${nora}f`,
  ])
    expect(withoutIdentityNumbers(text)).toContain(stars);
});

test.each([
  [`/v1/sandbox/customers/${nora}`, `/v1/sandbox/customers/${stars}`],
  [`?a=${nora}&b=1`, `?a=${stars}&b=1`],
  [`NO${nora}x`, `NO${stars}x`],
  [`${nora},${nora}`, `${stars},${stars}`],
  [`{"customerNumber":${nora}}`, `{"customerNumber":${stars}}`],
])('as it is written, in %s', (text, masked) => {
  expect(withoutIdentityNumbers(text)).toBe(masked);
});

test.each([
  '09232911044',
  '{"iban":"NO9386011117947"}',
  `{"bban": "${nora}"}`,
  `1${nora}`,
  `${nora}0`,
  '4eba4445-1a4b-47b8-bdd5-4e56ef026b19',
  '1303931995',
  '',
])('%j is left alone', (text) => {
  expect(withoutIdentityNumbers(text)).toBe(text);
});
