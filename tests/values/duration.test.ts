import { describe, expect, test } from '@jest/globals';
import { addDuration, parseDuration } from '../../engine/values/duration.ts';
import type { Duration } from '../../engine/values/duration.ts';
import { formatInstant, parseInstant } from '../../engine/values/instant.ts';

describe('a duration is a subset of ISO 8601', () => {
  test.each<[string, Duration]>([
    ['P3D', { months: 0, days: 3, seconds: 0 }],
    ['P1Y2M3W4DT5H6M7S', { months: 14, days: 25, seconds: 18_367 }],
    ['PT90M', { months: 0, days: 0, seconds: 5400 }],
    ['P10Y', { months: 120, days: 0, seconds: 0 }],
    ['P0D', { months: 0, days: 0, seconds: 0 }],
  ])('%s is %j', (text, duration) => {
    expect(parseDuration(text)).toEqual(duration);
  });

  test.each([
    ['P', 'no part'],
    ['PT', 'no part'],
    ['P1DT', 'a T with nothing after'],
    ['P1D1M', 'out of order'],
    ['P1.5D', 'a fraction'],
    ['PT1,5H', 'a fraction'],
    ['-P1D', 'a sign'],
    ['P-1D', 'a sign'],
    ['P1H', 'hours without T'],
    ['p1d', 'lower case'],
    ['3D', 'no P'],
    ['P1D ', 'a blank'],
    ['P101Y', 'more than a hundred years'],
    ['P99999999999999999999D', 'absurd'],
    [`P${'9'.repeat(400)}D`, 'infinite'],
    ['PT4000000000S', 'more than a hundred years of seconds'],
    ['', 'empty'],
  ])('%s is refused: %s', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('T7: years to days are counted in Oslo, hours to seconds exactly', () => {
  test.each([
    ['2027-03-27T12:00:00+01:00', 'P1D', '2027-03-28T12:00:00.000+02:00'],
    ['2027-03-27T12:00:00+01:00', 'PT24H', '2027-03-28T13:00:00.000+02:00'],
    ['2027-10-30T12:00:00+02:00', 'P1D', '2027-10-31T12:00:00.000+01:00'],
    ['2027-10-30T12:00:00+02:00', 'PT24H', '2027-10-31T11:00:00.000+01:00'],
    ['2027-03-27T02:30:00+01:00', 'P1D', '2027-03-28T03:30:00.000+02:00'],
    ['2027-10-31T02:30:00+01:00', 'PT0S', '2027-10-31T02:30:00.000+01:00'],
    ['2027-10-31T02:30:00+01:00', 'PT1S', '2027-10-31T02:30:01.000+01:00'],
    ['2027-01-31T10:00:00+01:00', 'P1M', '2027-02-28T10:00:00.000+01:00'],
    ['2027-01-31T10:00:00+01:00', 'P1M1D', '2027-03-01T10:00:00.000+01:00'],
    ['2028-02-29T10:00:00.123+01:00', 'P1Y', '2029-02-28T10:00:00.123+01:00'],
    ['2027-12-31T23:59:59+01:00', 'P1WT1S', '2028-01-08T00:00:00.000+01:00'],
  ])('%s and %s is %s', (from, by, to) => {
    const [instant, duration] = [parseInstant(from), parseDuration(by)];
    if (instant === null || duration === null) throw new Error('a case that does not parse');
    expect(formatInstant(addDuration(instant, duration))).toBe(to);
  });
});
