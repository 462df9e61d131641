import { describe, expect, test } from '@jest/globals';
import {
  addDays,
  dayOf,
  daysBetween,
  daysInMonth,
  epochDay,
  fromEpochDay,
  localDate,
  monthDay,
  monthOf,
  parseLocalDate,
  weekday,
  yearOf,
} from '../../engine/values/local-date.ts';

describe('a date is exactly YYYY-MM-DD and a day that exists', () => {
  test.each(['0001-01-01', '1900-02-28', '2000-02-29', '2024-02-29', '2027-12-31', '9999-12-31'])('%s is', (text) => {
    expect(parseLocalDate(text)).toBe(text);
  });

  test.each([
    ['2027-02-29', 'no leap year'],
    ['1900-02-29', 'a century, no leap year'],
    ['2027-02-31', '31 February, which Date.parse takes'],
    ['2027-04-31', 'April has 30 days'],
    ['2027-00-10', 'month 0'],
    ['2027-13-01', 'month 13'],
    ['2027-01-00', 'day 0'],
    ['0000-01-01', 'year 0'],
    ['2027-1-1', 'no leading zeros'],
    ['20270101', 'basic format'],
    ['2027-01-01T00:00:00Z', 'a date-time'],
    [' 2027-01-01', 'a blank before'],
    ['2027-01-01\n', 'a line end after'],
    ['+2027-01-01', 'a sign'],
    ['-001-01-01', 'a sign in the year'],
    ['２０２７-01-01', 'digits that are not ASCII'],
    ['12027-01-01', 'five digits of year'],
    ['', 'empty'],
  ])('%j is not: %s', (text) => {
    expect(parseLocalDate(text)).toBeNull();
    expect(() => localDate(text)).toThrow('not a date');
  });
});

test('parts of a date are numbers', () => {
  const date = localDate('2027-03-09');
  expect([yearOf(date), monthOf(date), dayOf(date)]).toEqual([2027, 3, 9]);
});

test.each([
  ['2027-12-31', 1, '2028-01-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2027-03-28', 1, '2027-03-29'],
  ['2027-03-01', -1, '2027-02-28'],
  ['1970-01-01', -1, '1969-12-31'],
  ['2000-01-01', 36_525, '2100-01-01'],
])('%s and %i days is %s', (from, days, to) => {
  expect(addDays(localDate(from), days)).toBe(to);
  expect(daysBetween(localDate(from), localDate(to))).toBe(days);
});

test.each([
  ['2027-05-17', 1],
  ['2024-02-29', 4],
  ['1970-01-01', 4],
  ['1969-12-28', 7],
  ['0001-01-01', 1],
  ['9999-12-31', 5],
])('%s has ISO weekday %i', (date, day) => {
  expect(weekday(localDate(date))).toBe(day);
});

test('R3: a wanted day past the end of the month is its last day', () => {
  expect([1, 2, 3, 4].map((month) => monthDay(2027, month, 31))).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
  ]);
  expect(daysInMonth(2100, 2)).toBe(28);
});

test('arithmetic that leaves the years 0001 to 9999 throws', () => {
  expect(() => addDays(localDate('9999-12-31'), 1)).toThrow('year');
  expect(() => addDays(localDate('0001-01-01'), -1)).toThrow('year');
  expect(() => fromEpochDay(0.5)).toThrow('whole');
  expect(epochDay(localDate('1970-01-02'))).toBe(1);
});
