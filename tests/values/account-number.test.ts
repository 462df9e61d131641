import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import cases from '../data/accounts-and-kid.json' with { type: 'json' };
import { isBban, isBbanMod11, parseIban } from '../../engine/values/account-number.ts';

// customer, name, bban, iban, currency, type, balance, whether mod-11 fits.
const vendorRows = readFileSync(new URL('../data/vendor-accounts.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, , bban = '', iban = '', , , , fits = ''] = line.split('\t');
    return { bban, iban, fits: fits === 'yes' };
  });

describe('bban: the mod-11 check digit', () => {
  test.each(cases.bban.map(({ value, valid, computed }) => [value, valid ?? computed] as const))(
    '%s: %s',
    (value, fits) => {
      expect(isBbanMod11(value)).toBe(fits);
    },
  );

  test('fits 300 numbers that others generated, and no number differing in one digit', () => {
    for (const value of cases.bbanGeneratedValid) {
      expect([value, isBbanMod11(value)]).toEqual([value, true]);
      const other = String((Number(value[10]) + 1) % 10);
      expect(isBbanMod11(value.slice(0, 10) + other)).toBe(false);
    }
  });

  test('does not exist for some stems', () => {
    for (const stem of cases.bbanStemsWithoutCheckDigit) {
      for (let digit = 0; digit <= 9; digit++) expect(isBbanMod11(`${stem}${digit}`)).toBe(false);
    }
  });

  test.each(['8601.11.17947', '8601 11 17947', '8601111794', '860111179470', '', 'a6011117947', '８6011117947'])(
    'P5: %j is not 11 digits',
    (text) => {
      expect(isBban(text)).toBe(false);
      expect(isBbanMod11(text)).toBe(false);
    },
  );
});

describe('iban', () => {
  test.each(cases.iban.map(({ value, valid }) => [value, valid] as const))('%s: %s', (value, valid) => {
    const iban = parseIban(value);
    expect(typeof iban !== 'string').toBe(valid);
    if (typeof iban !== 'string') expect(iban.iban).toBe(value.replaceAll(' ', ''));
  });

  test('P5: the accounts of the published scripts have good ibans, that end in their bbans, and bad check digits', () => {
    expect(vendorRows).toHaveLength(41);
    for (const { bban, iban, fits } of vendorRows) {
      expect(parseIban(iban)).toEqual({ iban, country: 'NO', bban });
      expect([bban, isBbanMod11(bban)]).toEqual([bban, fits]);
    }
  });

  // Examples of the IBAN registry.
  test.each([
    'BE68 5390 0754 7034',
    'CH93 0076 2011 6238 5295 7',
    'DK50 0040 0440 1162 43',
    'FI21 1234 5600 0007 85',
    'FR14 2004 1010 0505 0001 3M02 606',
    'GB29 NWBK 6016 1331 9268 19',
    'LC55 HEMM 0001 0001 0012 0012 0002 3015',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'SE45 5000 0000 0583 9825 7466',
    'no9386011117947',
    'gb29 nwbk 6016 1331 9268 19',
  ])('%s is one', (text) => {
    expect(parseIban(text)).toMatchObject({ iban: text.replaceAll(' ', '').toUpperCase() });
  });

  test.each([
    ['NO9386011117948', 'mod-97'],
    ['NO95360573002', '13 characters'],
    ['NO93860111179470', 'an IBAN of NO has 15'],
    ['DE8937040044053201300', 'an IBAN of DE has 22'],
    ['NO93-8601-1117947', 'country code'],
    [' NO9386011117947', 'blank'],
    ['NO93\t86011117947', 'country code'],
    ['NO93\u00a086011117947', 'country code'],
    ['\u0130S140159260076545510730339', 'country code'],
    [`NO62${' '.repeat(85)}90491105991`, '100 characters'],
    ['', 'country code'],
    ['XX', 'country code'],
    ['XX12AB', '15 to 34'],
    [`XX12${'1'.repeat(31)}`, '15 to 34'],
    ['NO938601111794A', '11 digits'],
  ])('%j is refused: %s', (text, reason) => {
    expect(parseIban(text)).toContain(reason);
  });

  test('interface, Account reference: mod-97 finds every wrong digit and every swap of two neighbours', () => {
    const good = fc.constantFrom(...vendorRows.map(({ iban }) => iban));
    fc.assert(
      fc.property(good, fc.integer({ min: 2, max: 14 }), fc.integer({ min: 1, max: 9 }), (iban, at, step) => {
        const digit = (Number(iban[at]) + step) % 10;
        expect(typeof parseIban(iban.slice(0, at) + String(digit) + iban.slice(at + 1))).toBe('string');
        const swapped = `${iban.slice(0, at)}${iban
          .slice(at, at + 2)
          .split('')
          .toReversed()
          .join('')}${iban.slice(at + 2)}`;
        if (swapped !== iban) expect(typeof parseIban(swapped)).toBe('string');
      }),
    );
  });

  test.each([
    ['97', '00'],
    ['98', '01'],
    ['02', '99'],
  ])('check digits %s have a twin %s with the same remainder, which is refused', (digits, twin) => {
    const bbans = Array.from({ length: 1000 }, (_, index) => String(86_011_110_000 + index));
    const good = bbans.filter((bban) => typeof parseIban(`NO${digits}${bban}`) !== 'string');
    expect(good.length).toBeGreaterThan(5);
    for (const bban of good) expect(parseIban(`NO${twin}${bban}`)).toContain('mod-97');
  });
});
