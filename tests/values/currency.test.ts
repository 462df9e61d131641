import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { countries, isCountry } from '../../engine/values/country.ts';
import { currencies, isCurrency, minorUnits } from '../../engine/values/money.ts';

const interfaceText = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');

// ISO 4217 list one, column "Minor unit", as github.com/datasets/currency-codes (data/codes-all.csv, commit 051762c)
// prints it; UGX has 0 and ZMW is there since later editions. ZWD had left the list before.
const iso4217: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BZD CAD CDF CHF CNY COP CRC
    CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SVC SYP SZL THB TJS TMT TOP
    TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
};
const earlierEditions: Readonly<Record<number, string>> = { 0: 'BYR', 2: 'MRO STD VEF ZWD' };
const outsideIso: Readonly<Record<number, string>> = { 2: 'GGP IMP JEP SPL TVD', 5: 'XDR' };

function codesUnder(heading: string): readonly string[] {
  const section = interfaceText.split(`#### ${heading}`)[1]?.split('\n#')[0] ?? '';
  return section.split('\n').flatMap((line) => (line.startsWith('- ') ? line.slice(2).trim().split(' ') : []));
}

describe('currency codes', () => {
  test('interface, Currency codes: P4: they are the 162 of the interface, in its order', () => {
    const printed = codesUnder('Currency codes');
    expect(printed).toHaveLength(162);
    expect(currencies).toEqual(printed);
  });

  test('P4: each has the minor units of ISO 4217, and those that ISO lacks have 2, XDR 5', () => {
    const judge = [iso4217, earlierEditions, outsideIso].flatMap((table) =>
      Object.entries(table).flatMap(([digits, codes]) =>
        codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
      ),
    );
    const mine = currencies.map((code) => [code, minorUnits(code)]);
    expect(mine).toEqual(judge.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });

  test.each(['nok', 'NO', 'NOKK', ' NOK', '', 'XXX', 'toString'])('%j is no code', (text) => {
    expect(isCurrency(text)).toBe(false);
  });
});

describe('country codes', () => {
  test('interface, Country codes: they are those of the interface, in its order, each once', () => {
    const printed = codesUnder('Country codes');
    expect(printed.length).toBeGreaterThan(240);
    expect(countries).toEqual(printed);
    expect(new Set(countries).size).toBe(countries.length);
  });

  test.each(['no', 'XX', 'NOR', '', 'constructor'])('%j is no code', (text) => {
    expect(isCountry(text)).toBe(false);
  });
});
