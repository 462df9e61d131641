import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDuration } from '../../engine/values/duration.ts';
import { formatInstant, osloDate, parseInstant, startOfDay } from '../../engine/values/instant.ts';
import type { Instant } from '../../engine/values/instant.ts';
import {
  addDays,
  dayOf,
  daysBetween,
  epochDay,
  fromEpochDay,
  localDate,
  monthOf,
  parseLocalDate,
  weekday,
  yearOf,
} from '../../engine/values/local-date.ts';
import { runs } from '../support/sample.ts';

const dates = fc
  .integer({ min: epochDay(localDate('0001-01-01')), max: epochDay(localDate('9999-12-31')) })
  .map(fromEpochDay);
const instants = fc
  .integer({ min: Date.parse('1901-01-01T00:00:00Z'), max: Date.parse('2199-12-31T00:00:00Z') })
  .map((ms) => ms as Instant);

test('a date agrees with the JavaScript calendar in its text, its parts and its weekday', () => {
  fc.assert(
    fc.property(dates, (date) => {
      const judge = new Date(epochDay(date) * 86_400_000);
      expect(date).toBe(judge.toISOString().slice(0, 10));
      expect([yearOf(date), monthOf(date), dayOf(date)]).toEqual([
        judge.getUTCFullYear(),
        judge.getUTCMonth() + 1,
        judge.getUTCDate(),
      ]);
      expect(weekday(date) % 7).toBe(judge.getUTCDay());
      expect(parseLocalDate(date)).toBe(date);
    }),
  );
});

test('any eight digits are a date exactly when the JavaScript calendar keeps them', () => {
  const digits = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }));
  fc.assert(
    fc.property(digits, ([year, month, day]) => {
      const pad = (value: number, width: number): string => String(value).padStart(width, '0');
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
      const judge = new Date(`${text}T00:00:00Z`);
      const kept = year > 0 && !Number.isNaN(judge.getTime()) && judge.toISOString().slice(0, 10) === text;
      expect(parseLocalDate(text)).toBe(kept ? text : null);
    }),
    { numRuns: runs(300) },
  );
});

test('texts of dates compare as the days between them', () => {
  fc.assert(
    fc.property(dates, dates, (a, b) => {
      expect(Math.sign(daysBetween(a, b))).toBe(a < b ? 1 : a > b ? -1 : 0);
      expect(addDays(a, daysBetween(a, b))).toBe(b);
    }),
  );
});

test('an instant survives its text', () => {
  fc.assert(fc.property(instants, (at) => parseInstant(formatInstant(at)) === at));
});

test('JavaScript reads the text of an instant as the same instant', () => {
  fc.assert(fc.property(instants, (at) => Date.parse(formatInstant(at)) === at));
});

test('an instant lies in its own bank date', () => {
  fc.assert(
    fc.property(instants, (at) => {
      const date = osloDate(at);
      expect(startOfDay(date)).toBeLessThanOrEqual(at);
      expect(startOfDay(addDays(date, 1))).toBeGreaterThan(at);
    }),
  );
});

test('T7: whole days move the bank date by exactly as many', () => {
  fc.assert(
    fc.property(instants, fc.nat({ max: 4000 }), (at, days) => {
      const moved = addDuration(at, { months: 0, days, seconds: 0 });
      expect(osloDate(moved)).toBe(addDays(osloDate(at), days));
    }),
  );
});
