import { describe, expect, test } from '@jest/globals';
import { formatInstant, osloDate, osloInstant, parseInstant, startOfDay } from '../../engine/values/instant.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { addDays, epochDay, localDate } from '../../engine/values/local-date.ts';

const quarter = 15 * 60_000;
const hour = 4 * quarter;
const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', dateStyle: 'short', timeStyle: 'medium' });

/** `2027-03-30 05:30:00` by the zone data of ICU. */
const clockByIntl = (ms: number): string => intl.format(new Date(ms));
const clockByUs = (ms: number): string =>
  formatInstant(ms as Instant)
    .slice(0, 19)
    .replace('T', ' ');

describe('T2: Oslo time by the EU rule', () => {
  test('agrees with Intl at noon and midnight of every day 1981-2060, as the clock and as the instant', () => {
    const wrong: string[] = [];
    const end = localDate('2061-01-01');
    for (let date = localDate('1981-01-01'); date < end; date = addDays(date, 1)) {
      const noon = epochDay(date) * 24 * hour + 12 * hour;
      if (clockByIntl(noon) !== clockByUs(noon)) wrong.push(clockByIntl(noon));
      if (clockByIntl(startOfDay(date)) !== `${date} 00:00:00`) wrong.push(date);
    }
    expect(wrong).toEqual([]);
  });

  test('agrees with Intl each quarter of an hour around every change of the clocks 1981-2060', () => {
    const wrong: string[] = [];
    let changes = 0;
    const end = Date.UTC(2061, 0, 1);
    for (let day = Date.UTC(1981, 0, 1); day < end; day += 24 * hour) {
      if (clockByIntl(day).slice(11) === clockByIntl(day + 24 * hour).slice(11)) continue;
      changes += 1;
      for (let at = day - hour; at <= day + 25 * hour; at += quarter) {
        if (clockByIntl(at) !== clockByUs(at)) wrong.push(clockByIntl(at));
        if (clockByIntl(at - 1) !== clockByUs(at - 1)) wrong.push(clockByIntl(at - 1));
      }
    }
    expect(wrong).toEqual([]);
    expect(changes).toBe(160);
  });

  test('a time that clocks show once is found again from every quarter of an hour around the changes of 2027', () => {
    for (const switchDay of ['2027-03-28', '2027-10-31']) {
      const day = epochDay(localDate(switchDay)) * 24 * hour;
      for (let at = day - 3 * hour; at <= day + 24 * hour; at += quarter) {
        const [date, time] = clockByIntl(at).split(' ');
        if (time?.startsWith('02')) continue;
        expect(osloInstant(localDate(date ?? ''), time?.slice(0, 5) ?? '')).toBe(at);
      }
    }
  });

  test.each([
    ['2027-03-28', '02:30', '2027-03-28T03:30:00.000+02:00', 'in the gap: an hour forward'],
    ['2027-03-28', '02:00', '2027-03-28T03:00:00.000+02:00', 'the start of the gap: the first moment after it'],
    ['2027-03-28', '03:00', '2027-03-28T03:00:00.000+02:00', 'the first moment after the gap'],
    ['2027-10-31', '02:30', '2027-10-31T02:30:00.000+02:00', 'shown twice: the first'],
    ['2027-10-31', '01:59', '2027-10-31T01:59:00.000+02:00', 'before the doubled hour'],
    ['2027-10-31', '03:00', '2027-10-31T03:00:00.000+01:00', 'after the doubled hour'],
  ])('%s %s is %s: %s', (date, time, expected) => {
    expect(formatInstant(osloInstant(localDate(date), time))).toBe(expected);
  });

  test.each(['24:00', '5:30', '05:60', '05:30:00', ''])('%j is no clock time', (time) => {
    expect(() => osloInstant(localDate('2027-03-30'), time)).toThrow('HH:MM');
  });
});

describe('T7: an instant is read from an ISO 8601 date-time with offset, or from a date', () => {
  test.each([
    ['2027-03-30T05:30:00Z', '2027-03-30T05:30:00Z'],
    ['2027-03-30T05:30:00.25+02:00', '2027-03-30T03:30:00.250Z'],
    ['2027-03-30T05:30+02:00', '2027-03-30T03:30:00Z'],
    ['2027-03-30T05:30:00.123456789Z', '2027-03-30T05:30:00.123Z'],
    ['2027-03-30T05:30:00-05:45', '2027-03-30T11:15:00Z'],
    ['2027-01-01T00:30:00+14:00', '2026-12-31T10:30:00Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, utc) => {
    expect(parseInstant(text)).toBe(Date.parse(utc));
  });

  test.each([
    ['2027-01-15', '2027-01-14T23:00:00Z'],
    ['2027-07-15', '2027-07-14T22:00:00Z'],
    ['2027-03-28', '2027-03-27T23:00:00Z'],
  ])('the date %s is 00:00 in Oslo, %s', (text, utc) => {
    expect(parseInstant(text)).toBe(Date.parse(utc));
  });

  test.each([
    ['2027-03-30T05:30:00', 'no offset'],
    ['2027-02-31T05:30:00Z', '31 February'],
    ['2027-03-30T24:00:00Z', '24:00'],
    ['2027-03-30T05:60:00Z', 'minute 60'],
    ['2027-03-30T05:30:60Z', 'a leap second'],
    ['2027-03-30T05:30:00+0200', 'basic offset'],
    ['2027-03-30T05:30:00+02', 'an offset in hours'],
    ['2027-03-30T05:30:00+02:60', 'offset minute 60'],
    ['2027-03-30T05:30:00+14:01', 'beyond the widest offset'],
    ['2027-03-30T05:30:00.Z', 'a point without decimals'],
    ['2027-03-30 05:30:00Z', 'a blank for the T'],
    ['2027-03-30t05:30:00z', 'lower case'],
    ['2027-03-30T05:30:00Z ', 'a blank after'],
    ['9999-12-31T23:30:00Z', 'year 10000 in Oslo'],
    ['0001-01-01T00:00:00+14:00', 'year 0 in Oslo'],
    ['Tue, 30 Mar 2027 05:30:00 GMT', 'an HTTP date'],
    ['1806377400000', 'a number'],
    ['', 'empty'],
  ])('%j is refused: %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

test('T2: the bank date is the one in Oslo', () => {
  expect(osloDate(Date.parse('2027-03-29T21:59:59.999Z') as Instant)).toBe('2027-03-29');
  expect(osloDate(Date.parse('2027-03-29T22:00:00Z') as Instant)).toBe('2027-03-30');
});
