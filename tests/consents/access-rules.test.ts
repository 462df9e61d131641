import { describe, expect, test } from '@jest/globals';
import { isSessionLive, checkAge, checkLastSca, openSince } from '../../engine/parties/rules/access.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at } from '../lab/bank.ts';

describe('A7: access lapses 180 days after the last SCA, counted on the calendar of Oslo', () => {
  test.each([
    ['2027-01-10T12:00:00+01:00', '2027-07-09T12:00:00+02:00', null],
    ['2027-01-10T12:00:00+01:00', '2027-07-09T12:00:00.001+02:00', 'CONSENT_EXPIRED'],
    ['2027-06-01T08:00:00+02:00', '2027-11-28T08:00:00+01:00', null],
    ['2027-06-01T08:00:00+02:00', '2027-11-28T08:00:01+01:00', 'CONSENT_EXPIRED'],
    ['2027-06-01T08:00:00+02:00', '2027-06-01T08:00:00+02:00', null],
  ])('last SCA %s, now %s: %s', (last, now, code) => {
    expect(checkLastSca(at(last), at(now))?.code ?? null).toBe(code);
  });
});

describe('A7: a session lasts one hour of the bank clock', () => {
  test.each([
    ['2027-03-24T12:00:00+01:00', '2027-03-24T13:00:00+01:00', true],
    ['2027-03-24T12:00:00+01:00', '2027-03-24T13:00:00.001+01:00', false],
    // 28 March: the clocks go from 02:00 to 03:00, and an hour is an hour.
    ['2027-03-28T01:30:00+01:00', '2027-03-28T03:30:00+02:00', true],
    ['2027-03-28T01:30:00+01:00', '2027-03-28T03:30:01+02:00', false],
  ])('begun %s, now %s: %s', (begun, now, live) => {
    expect(isSessionLive(at(begun), at(now))).toBe(live);
  });
});

describe('A7: 90 days back are open without a session', () => {
  const now = at('2027-03-24T00:10:00+01:00');

  test('the earliest open date is 90 bank dates before today', () => {
    expect(openSince(now)).toBe('2026-12-24');
    expect(openSince(at('2027-03-23T23:59:59+01:00'))).toBe('2026-12-23');
  });

  test.each([
    ['2026-12-24', null],
    ['2026-12-23', 'CONSENT_INVALID'],
    ['2027-04-01', null],
  ])('%s: %s', (date, code) => {
    expect(checkAge(localDate(date), now)?.code ?? null).toBe(code);
  });
});
