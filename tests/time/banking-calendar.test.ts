import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  bankingCalendar,
  isBankingDay,
  nextOrSame,
  previousOrSame,
  adjust,
} from '../../engine/time/rules/banking-calendar.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { holidaysOfPackage, norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { tabledHolidays } from '../../engine/time/rules/holiday-table.ts';

const calendar = norwegianCalendar();

/** Closed days 2020-2035 by rules of other makers; two names on one date in one list. */
function outsideHolidays(): Map<string, string[]> {
  const rows = readFileSync(new URL('../data/norway-holidays.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const byDate = new Map<string, string[]>();
  for (const row of rows) {
    const [date = '', name = ''] = row.split('\t');
    byDate.set(date, [...(byDate.get(date) ?? []), name]);
  }
  return byDate;
}

const weekendNames = new Map([
  [6, 'Saturday'],
  [0, 'Sunday'],
]);
/** Our source says Grunnlovsdagen; order on a shared date has no meaning. */
const comparable = (names: string): string =>
  names
    .replace('Grunnlovsdagen', 'Grunnlovsdag')
    .split(' / ')
    .toSorted((a, b) => a.localeCompare(b))
    .join(' / ');

describe('T3: the Norwegian banking calendar', () => {
  test('opens and closes each day of 2020-2035 as the outside table does, under the same name', () => {
    const outside = outsideHolidays();
    const wrong: string[] = [];
    const end = localDate('2036-01-01');
    let seen = 0;
    for (let date = localDate('2020-01-01'); date < end; date = addDays(date, 1)) {
      const weekend = weekendNames.get(new Date(`${date}T12:00:00Z`).getUTCDay());
      const expected = outside.get(date)?.join(' / ') ?? weekend ?? 'open';
      const closure = calendar.closure(date) ?? 'open';
      seen += outside.has(date) ? 1 : 0;
      if (comparable(closure) !== comparable(expected)) wrong.push(`${date} ${closure}, outside ${expected}`);
    }
    expect(wrong).toEqual([]);
    expect(seen).toBe(outside.size);
  });

  test.each([
    ['2021-12-24', 'Julaften'],
    ['2027-03-26', 'Langfredag'],
    ['2027-05-17', 'Grunnlovsdagen / Andre pinsedag'],
    ['2027-05-16', 'Første pinsedag'],
    ['2027-05-15', 'Saturday'],
    ['2027-05-23', 'Sunday'],
  ])('%s is closed: %s', (date, name) => {
    expect(calendar.closure(localDate(date))).toBe(name);
  });

  test.each([
    ['2027-12-31', '31 December, whose entry starts at 14:00'],
    ['2027-03-08', 'an observance'],
    ['2027-07-29', 'an optional day'],
  ])('%s is open: %s', (date) => {
    expect(calendar.closure(localDate(date))).toBeNull();
  });

  test('31 December on a Sunday is an ordinary Sunday', () => {
    expect(calendar.closure(localDate('2023-12-31'))).toBe('Sunday');
  });

  test('its table is what date-holidays says: npm run generate', () => {
    const years = Array.from({ length: 112 }, (_, index) => 1990 + index);
    const tabled = years.filter((year) => tabledHolidays(year) !== null);
    expect([tabled.at(0), tabled.at(-1), tabled.length]).toEqual([2015, 2045, 31]);
    for (const year of tabled) expect(tabledHolidays(year)).toEqual(holidaysOfPackage(year));
  });

  test.each(['2014-04-17', '2046-03-22'])('%s, Skjærtorsdag, is beside the table: from the package', (date) => {
    expect(tabledHolidays(Number(date.slice(0, 4)))).toBeNull();
    expect(calendar.closure(localDate(date))).toBe('Skjærtorsdag');
  });

  test.each(['1988-12-31', '2102-01-01'])('%s is outside its years: it throws', (date) => {
    expect(() => calendar.closure(localDate(date))).toThrow('1989 to 2101');
  });

  test.each(['1990-01-01', '2101-12-26'])('%s is inside its years', (date) => {
    expect(calendar.closure(localDate(date))).not.toBeNull();
  });
});

test('a year is asked for when a date of it is, and once', () => {
  const asked: number[] = [];
  const holidays = new Map<LocalDate, string>([[localDate('2027-01-01'), 'New Year']]);
  const counted = bankingCalendar(
    (year) => {
      asked.push(year);
      return holidays;
    },
    { from: 2026, to: 2028 },
  );
  expect(asked).toEqual([]);
  expect(isBankingDay(localDate('2027-01-01'), counted)).toBe(false);
  expect(isBankingDay(localDate('2027-01-04'), counted)).toBe(true);
  expect(asked).toEqual([2027]);
});

test.each([
  ['2027-03-25', '2027-03-30', '2027-03-24'],
  ['2027-03-30', '2027-03-30', '2027-03-30'],
  ['2027-01-01', '2027-01-04', '2026-12-31'],
  ['2022-12-24', '2022-12-27', '2022-12-23'],
])('R6: %s is executed %s when following, %s when preceding', (text, following, preceding) => {
  const date = localDate(text);
  expect([nextOrSame(date, calendar), previousOrSame(date, calendar)]).toEqual([following, preceding]);
  expect(adjust(date, 'following', calendar)).toBe(following);
  expect(adjust(date, 'preceding', calendar)).toBe(preceding);
});
