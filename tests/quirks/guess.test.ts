import { expect, test } from '@jest/globals';
import { quirk } from '../../api/quirks/bank-codes.ts';
import { days, spans } from '../../api/quirks/guess.ts';

/* docs/drift.md: which values of a quirk a recording has room for. */

const day = 86_400_000;

/** Two exchanges so many ms apart. */
function apart(ms: number) {
  return [0, ms].map((at) => ({ exchange: { at }, differences: [] }));
}

test.each<[what: string, ms: number, spans: string[]]>([
  ['one moment', 0, ['P1D', 'PT1H']],
  ['less than six days', 6 * day - 1, ['P1D', 'PT1H']],
  ['six days', 6 * day, ['P7D', 'P1D', 'PT1H']],
  ['29 days', 29 * day, ['P30D', 'P7D', 'P1D', 'PT1H']],
  ['89 days', 89 * day, ['P90D', 'P60D', 'P30D', 'P7D', 'P1D', 'PT1H']],
])('a recording of %s has room for these spans, the longest first', (_, ms, found) => {
  expect(spans(apart(ms))).toEqual(found);
});

test.each([
  ['proprietary', 'proprietaryBankTransactionCode', 'R_914', true],
  ['proprietary', 'bankTransactionCode', 'PMNT', false],
  ['iso', 'bankTransactionCode', 'PMNT', true],
  ['iso', 'proprietaryBankTransactionCode', 'R_914', false],
  ['none', 'bankTransactionCode', null, true],
  ['iso', 'bankTransactionCode', null, false],
])('DW7: bank-codes=%s may explain %s, recorded as %s: %s', (value, path, recorded, fits) => {
  const difference = { kind: 'extra', path, recorded, expected: null } as const;
  expect(quirk.guess?.fits?.(difference, value)).toBe(fits);
});

test.each<[what: string, ms: number, days: string[]]>([
  ['less than a day', day - 1, []],
  ['a day', day, ['1']],
  ['31 days', 31 * day, ['30', '30', '1']],
  ['90 days', 90 * day, ['90', '30', '60', '89', '1']],
  ['181 days', 181 * day, ['90', '30', '60', '120', '180', '1']],
  ['a year', 365 * day, ['90', '30', '60', '120', '1']],
])('in a recording of %s a consent may have lapsed after these numbers of days', (_, ms, found) => {
  expect(days(apart(ms))).toEqual(found);
});
