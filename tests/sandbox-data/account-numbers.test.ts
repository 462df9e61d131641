import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountNumbers, norwegianIban, parseIban } from '../../engine/values/account-number.ts';

interface JudgedIban {
  readonly value: string;
  readonly valid: boolean;
}

const outside = JSON.parse(readFileSync(new URL('../data/accounts-and-kid.json', import.meta.url), 'utf8')) as {
  readonly iban: readonly JudgedIban[];
};
const accounts = readFileSync(new URL('../data/vendor-accounts.tsv', import.meta.url), 'utf8');
const published = [...accounts.matchAll(/\t(\d{11})\t(NO\d{13})\t/g)].map(
  ([, bban = '', iban = '']) => [bban, iban] as const,
);

describe('a Norwegian BBAN has one IBAN', () => {
  test('as in the vendor published data, 40 accounts or more', () => {
    expect(published.length).toBeGreaterThanOrEqual(40);
    for (const [bban, iban] of published) expect(norwegianIban(bban)).toBe(iban);
  });

  const norwegian = outside.iban.filter(({ value, valid }) => valid && value.startsWith('NO'));
  test.each(norwegian)('$value', ({ value }) => {
    const iban = value.replaceAll(' ', '');
    expect(norwegianIban(iban.slice(4))).toBe(iban);
  });

  test('any 11 digits, with check digits that the reader accepts', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11}$/), (bban) => {
        expect(parseIban(norwegianIban(bban))).toMatchObject({ country: 'NO', bban });
      }),
    );
  });
});

describe('the number that is left out is derived where it can be', () => {
  test.each([
    [{ bban: '90412263056' }, { bban: '90412263056', iban: 'NO2390412263056' }],
    [{ iban: 'NO2390412263056' }, { bban: '90412263056', iban: 'NO2390412263056' }],
    [{ iban: 'NO23 9041 2263 056' }, { bban: '90412263056', iban: 'NO2390412263056' }],
    [
      { bban: '90412263056', iban: 'NO2390412263056' },
      { bban: '90412263056', iban: 'NO2390412263056' },
    ],
    [{ iban: 'DE89370400440532013000' }, { bban: null, iban: 'DE89370400440532013000' }],
    [{ bban: '12-3' }, { bban: '12-3', iban: null }],
  ])('%j', (given, expected) => {
    expect(accountNumbers(given)).toEqual(expected);
  });
});
