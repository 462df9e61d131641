import { expect, test } from '@jest/globals';
import { isCountry } from '../../engine/values/country.ts';
import { sepaZone } from '../../engine/payments/rules/transfer-rules.ts';

/*
 * Source: European Payments Council, EPC409-09, "EPC List of SEPA Scheme Countries", as of 2025: 41 countries. In the
 * European Economic Area are the 27 of the European Union, Iceland, Liechtenstein and Norway; the other eleven are not.
 */
const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const rest = ['IS', 'LI', 'NO'];
const outside = 'AD AL CH GB MC MD ME MK RS SM VA'.split(' ');
/** A territory that the list has in a row of its own, because its IBANs have a code of their own. */
const territory = 'GI';
const scheme = [...union, ...rest, ...outside];

test('P11: the scheme has 41 countries', () => {
  expect([union.length, scheme.length, new Set(scheme).size]).toEqual([27, 41, 41]);
});

test.each([...union, ...rest])('P11: %s is in the EEA: no BIC is asked for', (country) => {
  expect(sepaZone(country)).toBe('EEA');
});

test.each([...outside, territory])('P11: %s is in the scheme and outside the EEA: a BIC is asked for', (country) => {
  expect(sepaZone(country)).toBe('outside the EEA');
});

test('P11: no other code is in the scheme, whoever it belongs to', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  expect(codes.filter((code) => sepaZone(code) !== null)).toEqual([...scheme, territory].sort());
  // A territory whose IBANs have the code of its country is reached by that code.
  for (const code of ['GG', 'IM', 'JE', 'AX', 'GP', 'GF'])
    expect([isCountry(code), sepaZone(code)]).toEqual([true, null]);
});
