import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ExecutionRule } from '../../engine/time/rules/banking-calendar.ts';
import {
  type Frequency,
  firstIndexFrom,
  firstIndexToPay,
  occurrence,
  occurrences,
  type Occurrence,
  type Schedule,
} from '../../engine/time/rules/occurrences.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';

const calendar = norwegianCalendar();

interface OutsideCase {
  readonly id: string;
  readonly why: string;
  readonly request: {
    readonly startDate: string;
    readonly endDate?: string;
    readonly frequency: Frequency;
    readonly dayOfExecution?: string;
    readonly monthsOfExecution?: readonly number[];
  };
  readonly nominal: readonly string[];
  readonly following: readonly string[];
  readonly preceeding: readonly string[];
}

const { cases } = JSON.parse(readFileSync(new URL('../data/periodic-schedules.json', import.meta.url), 'utf8')) as {
  cases: readonly OutsideCase[];
};

function scheduleOf({ request }: Pick<OutsideCase, 'request'>, executionRule: ExecutionRule = 'following'): Schedule {
  return {
    startDate: localDate(request.startDate),
    endDate: request.endDate === undefined ? null : localDate(request.endDate),
    frequency: request.frequency,
    executionRule,
    dayOfExecution: request.dayOfExecution === undefined ? null : Number(request.dayOfExecution),
    monthsOfExecution: request.monthsOfExecution ?? null,
  };
}

const monthly = (more: Partial<Schedule>): Schedule => ({
  ...scheduleOf({ request: { startDate: '2027-01-31', frequency: 'Monthly' } }),
  ...more,
});
const first = (schedule: Schedule, count: number): Occurrence[] => {
  const found: Occurrence[] = [];
  for (const one of occurrences(schedule, calendar)) {
    if (found.push(one) === count) break;
  }
  return found;
};
const nominals = (schedule: Schedule, count: number): string[] => first(schedule, count).map((one) => one.nominalDate);

describe('R2-R7: standing orders computed by python-dateutil and QuantLib', () => {
  test('there are cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(28);
  });

  test.each(cases)('$id: $why', (one) => {
    const count = one.nominal.length;
    const following = first(scheduleOf(one, 'following'), count);
    const preceding = first(scheduleOf(one, 'preceding'), count);
    expect(following.map((found) => found.nominalDate)).toEqual(one.nominal);
    expect(following.map((found) => found.executionDate)).toEqual(one.following);
    expect(preceding.map((found) => found.nominalDate)).toEqual(one.nominal);
    expect(preceding.map((found) => found.executionDate)).toEqual(one.preceeding);
    if (one.request.endDate !== undefined) {
      expect(occurrence(scheduleOf(one), count, calendar)).toBeNull();
    }
  });
});

describe('nominal dates', () => {
  test('R3: the 31st is the last day of a shorter month and returns', () => {
    const dates = ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'];
    expect(nominals(monthly({}), 5)).toEqual(dates);
  });

  test('R3: 29 February returns every fourth year', () => {
    const annual = monthly({ frequency: 'Annual', startDate: localDate('2024-02-29') });
    expect(nominals(annual, 5)).toEqual(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
  });

  test.each<Frequency>(['Daily', 'Weekly', 'EveryTwoWeeks'])('R3: %s ignores a day of execution', (frequency) => {
    const plain = monthly({ frequency });
    expect(nominals({ ...plain, dayOfExecution: 12 }, 6)).toEqual(nominals(plain, 6));
  });

  test('R4: the first day of execution on or after startDate anchors the interval', () => {
    const schedule = monthly({ frequency: 'EveryTwoMonths', startDate: localDate('2027-01-15'), dayOfExecution: 12 });
    expect(nominals(schedule, 3)).toEqual(['2027-02-12', '2027-04-12', '2027-06-12']);
  });

  test('R5: listed months in any order, from the first one on or after startDate, over new years', () => {
    const schedule = monthly({ frequency: 'MonthlyVariable', dayOfExecution: 15, monthsOfExecution: [12, 1, 6] });
    expect(nominals(schedule, 4)).toEqual(['2027-06-15', '2027-12-15', '2028-01-15', '2028-06-15']);
  });

  test('R5: months of execution are ignored with another frequency', () => {
    expect(nominals(monthly({ monthsOfExecution: [6] }), 3)).toEqual(nominals(monthly({}), 3));
  });

  test.each<[number[] | null, string]>([
    [null, 'missing'],
    [[], 'empty'],
    [[1, 1], 'a month twice'],
    [[0], 'month 0'],
    [[13], 'month 13'],
  ])('R5: MonthlyVariable with %j throws: %s', (monthsOfExecution) => {
    const schedule = monthly({ frequency: 'MonthlyVariable', monthsOfExecution });
    expect(() => occurrence(schedule, 0, calendar)).toThrow('R5');
  });

  test.each([0, 32, 1.5])('R3: day of execution %d throws', (dayOfExecution) => {
    expect(() => occurrence(monthly({ dayOfExecution }), 0, calendar)).toThrow('day of execution');
  });

  test.each([-1, 0.5, Number.NaN])('index %d throws', (index) => {
    expect(() => occurrence(monthly({}), index, calendar)).toThrow('index');
  });
});

describe('the end', () => {
  test('R7: endDate is included and compared with nominal dates', () => {
    // 31 January 2027 is a Sunday: executed on 1 February, after endDate.
    const schedule = monthly({ endDate: localDate('2027-01-31') });
    expect(occurrence(schedule, 0, calendar)).toMatchObject({ nominalDate: '2027-01-31', executionDate: '2027-02-01' });
    expect(occurrence(schedule, 1, calendar)).toBeNull();
  });

  test('R7: a period without a day of execution has no occurrence', () => {
    const schedule = monthly({
      startDate: localDate('2027-01-15'),
      dayOfExecution: 12,
      endDate: localDate('2027-02-11'),
    });
    expect([...occurrences(schedule, calendar)]).toEqual([]);
  });

  test.each<[Frequency, string]>([
    ['Daily', '2099-12-31'],
    ['Monthly', '2099-12-31'],
    ['MonthlyVariable', '2099-11-30'],
  ])('T7: %s without endDate ends in 2099, on %s', (frequency, last) => {
    const schedule = monthly({ startDate: localDate('2098-12-31'), frequency, monthsOfExecution: [2, 11] });
    expect([...occurrences(schedule, calendar)].at(-1)?.nominalDate).toBe(last);
    expect(occurrence(schedule, 1e9, calendar)).toBeNull();
  });
});

describe('moved dates', () => {
  const good = monthly({ startDate: localDate('2027-03-26') });

  test('R6: following', () => {
    expect(occurrence(good, 0, calendar)).toEqual({
      index: 0,
      nominalDate: '2027-03-26',
      executionDate: '2027-03-30',
    });
  });

  test('R6: preceding goes before startDate', () => {
    expect(occurrence({ ...good, executionRule: 'preceding' }, 0, calendar)).toMatchObject({
      executionDate: '2027-03-24',
    });
  });

  test('a banking day stays', () => {
    expect(occurrence(good, 1, calendar)).toEqual({
      index: 1,
      nominalDate: '2027-04-26',
      executionDate: '2027-04-26',
    });
  });
});

test.each([
  ['2026-01-01', 0],
  ['2027-01-31', 0],
  ['2027-02-01', 1],
  ['2027-02-28', 1],
  ['2027-03-01', 2],
  ['2028-02-29', 13],
])('the first monthly date from %s has index %i', (date, index) => {
  expect(firstIndexFrom(monthly({}), localDate(date))).toBe(index);
});

test.each([
  ['2027-06-04', 'following', '2027-06-04'],
  ['2027-06-05', 'following', '2027-06-05'],
  ['2027-06-06', 'following', '2027-06-05'],
  ['2027-06-07', 'following', '2027-06-05'],
  ['2027-06-08', 'following', '2027-06-08'],
  ['2027-06-07', 'preceding', '2027-06-07'],
] as const)('P13: signed on %s, %s, the first daily date to pay is %s', (today, executionRule, nominal) => {
  const daily = {
    ...monthly({}),
    startDate: localDate('2027-06-01'),
    endDate: null,
    frequency: 'Daily',
    executionRule,
  } as const;
  const index = firstIndexToPay(daily, localDate(today), calendar);
  expect(occurrence(daily, index, calendar)?.nominalDate).toBe(nominal);
});
