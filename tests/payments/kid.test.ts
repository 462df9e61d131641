import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import cases from '../data/accounts-and-kid.json' with { type: 'json' };
import { checkKid, isKid, isKidForm } from '../../engine/payments/rules/kid.ts';
import type { StructuredRemittance } from '../../engine/values/credit-transfer.ts';

describe('P6: the check digit of a KID', () => {
  test.each(cases.kid)('$value: MOD10 $mod10, MOD11 $mod11', ({ value, mod10, mod11 }) => {
    expect([isKid(value, 'MOD10'), isKid(value, 'MOD11')]).toEqual([mod10, mod11]);
  });

  test('fits 200 stems that others computed, and no other digit does', () => {
    for (const { stem, mod10, mod11 } of cases.kidGenerated) {
      for (const last of '0123456789-') {
        expect([stem + last, isKid(stem + last, 'MOD10')]).toEqual([stem + last, stem + last === mod10]);
        expect([stem + last, isKid(stem + last, 'MOD11')]).toEqual([stem + last, stem + last === mod11]);
      }
    }
  });

  test('finds every single wrong digit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases.kidGenerated),
        fc.nat({ max: 24 }),
        fc.integer({ min: 1, max: 9 }),
        ({ mod10, mod11, stem }, place, shift) => {
          const at = place % stem.length;
          const wrong = (kid: string) => kid.slice(0, at) + String((Number(kid[at]) + shift) % 10) + kid.slice(at + 1);
          return !isKid(wrong(mod10), 'MOD10') && !isKid(wrong(mod11), 'MOD11');
        },
      ),
    );
  });
});

test.each([
  ['12', true],
  ['1-', true],
  ['1234567890123456789012345', true],
  ['1', false],
  ['', false],
  ['12345678901234567890123456', false],
  ['-1', false],
  ['1-1', false],
  ['12 34', false],
  ['RF18539007547034', false],
  ['١٢٣', false],
])('P6: %j has the form of a KID: %s', (text, fits) => {
  expect(isKidForm(text)).toBe(fits);
});

describe('P6: a KID and the agreement of the creditor account', () => {
  const judge = (references: readonly StructuredRemittance[] | null, agreement: 'MOD10' | 'MOD11' | null) =>
    checkKid(
      {
        instructedAmount: { amount: '1.00', currency: 'NOK' },
        debtorAccount: { bban: '09232911044', currency: 'NOK' },
        creditorAccount: { bban: '34400000028', currency: 'NOK' },
        creditorName: 'Kari Kidkrav',
        ...(references !== null && { remittanceInformationStructuredArray: references }),
      },
      agreement,
      false,
    ).map(({ code, path }) => `${code} ${path}`);
  const kid = (reference: string) => ({ reference, referenceType: 'SCOR' }) as const;
  const invoice = { reference: '33523568', referenceType: 'CINV', referenceIssuer: 'BITS-EFAKTURA' } as const;
  const list = 'remittanceInformationStructuredArray';

  test.each<[string, readonly StructuredRemittance[] | null, 'MOD10' | 'MOD11' | null, readonly string[]]>([
    ['none where none is asked for', null, null, []],
    ['any check digit where none is asked for', [kid('2345670')], null, []],
    ['missing', null, 'MOD10', [`KID_MISSING ${list}`]],
    ['right by MOD10', [kid('2345676')], 'MOD10', []],
    ['wrong by MOD10', [kid('2345670')], 'MOD10', [`KID_INVALID ${list}[0].reference`]],
    ['a hyphen is no MOD10 digit', [kid('1000005-')], 'MOD10', [`KID_INVALID ${list}[0].reference`]],
    ['right by MOD11, with a hyphen', [kid('1000005-')], 'MOD11', []],
    ['each is judged', [kid('2345676'), kid('11')], 'MOD10', [`KID_INVALID ${list}[1].reference`]],
    ['an e-invoice with its KID', [invoice, kid('2345676')], 'MOD10', []],
    ['an e-invoice with a wrong KID', [invoice, kid('2345670')], 'MOD10', [`KID_INVALID ${list}[1].reference`]],
    ['an e-invoice without KID, to any account', [invoice], null, [`KID_MISSING ${list}`]],
    ['an e-invoice to another bank, with its KID', [invoice, kid('2345670')], null, []],
  ])('%s', (_, references, agreement, faults) => {
    expect(judge(references, agreement)).toEqual(faults);
  });
});
