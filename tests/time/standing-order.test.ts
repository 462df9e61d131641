import { describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { notBeforeRun, occurrencesFrom, type Schedule } from '../../engine/time/rules/occurrences.ts';
import { calendar } from '../lab/bank.ts';

function schedule(changes: Partial<Schedule>): Schedule {
  return {
    startDate: localDate('2027-03-24'),
    endDate: null,
    frequency: 'Daily',
    executionRule: 'following',
    dayOfExecution: null,
    monthsOfExecution: null,
    ...changes,
  };
}

function batch(order: Schedule, index: number, notBefore: string | null): string {
  const earliest = notBefore === null ? null : localDate(notBefore);
  const { occurrences, nextIndex } = occurrencesFrom(order, index, calendar, { notBefore: earliest });
  const dates = occurrences.map(
    ({ nominalDate, executionDate }) => `${nominalDate.slice(5)}>${executionDate.slice(5)}`,
  );
  return `${dates.join(' ')} then ${nextIndex}`;
}

describe('R8: a running order lays all that falls on one execution date', () => {
  test.each([
    ['a lone day', 0, '03-24>03-24 then 1'],
    ['Easter', 1, '03-25>03-30 03-26>03-30 03-27>03-30 03-28>03-30 03-29>03-30 03-30>03-30 then 7'],
    ['from the middle of Easter', 4, '03-28>03-30 03-29>03-30 03-30>03-30 then 7'],
  ])('%s', (_, index, laid) => {
    expect(batch(schedule({}), index, null)).toBe(laid);
  });

  test('R6: what a closed day moved to a later day is not moved again', () => {
    const saturday = { index: 0, nominalDate: localDate('2027-03-20'), executionDate: localDate('2027-03-22') };
    expect(notBeforeRun(localDate('2027-03-23'), saturday)).toEqual(saturday);
    const moved = { ...saturday, executionDate: localDate('2027-03-19') };
    expect(notBeforeRun(localDate('2027-03-22'), moved).executionDate).toBe('2027-03-22');
  });

  test('R7: the end of the order is the end of the batch', () => {
    expect(batch(schedule({ endDate: localDate('2027-03-27') }), 1, null)).toBe(
      '03-25>03-30 03-26>03-30 03-27>03-30 then null',
    );
    expect(batch(schedule({ endDate: localDate('2027-03-27') }), 4, null)).toBe(' then null');
  });

  test('preceding batches end with the day before the closed ones', () => {
    const preceding = schedule({ executionRule: 'preceding' });
    expect(batch(preceding, 0, null)).toBe(
      '03-24>03-24 03-25>03-24 03-26>03-24 03-27>03-24 03-28>03-24 03-29>03-24 then 6',
    );
  });
});

describe('R6: an order that is signed', () => {
  test.each([
    [
      'with time left goes before the closed days',
      '2027-03-24',
      '03-24>03-24 03-25>03-24 03-26>03-24 03-27>03-24 03-28>03-24 03-29>03-24 then 6',
    ],
    [
      'too late for that is never earlier than the next run, which takes all that is due',
      '2027-03-30',
      '03-24>03-24 03-25>03-30 03-26>03-30 03-27>03-30 03-28>03-30 03-29>03-30 03-30>03-30 then 7',
    ],
  ])('%s', (_, notBefore, laid) => {
    expect(batch(schedule({ executionRule: 'preceding' }), 0, notBefore)).toBe(laid);
  });

  test('S3: following, too, lays all that the next run finds due', () => {
    expect(batch(schedule({ startDate: localDate('2027-04-12') }), 0, '2027-04-13')).toBe(
      '04-12>04-12 04-13>04-13 then 2',
    );
    expect(batch(schedule({ startDate: localDate('2027-04-12') }), 0, '2027-04-12')).toBe('04-12>04-12 then 1');
  });

  test('a first date after the next run is laid alone', () => {
    expect(batch(schedule({ startDate: localDate('2027-04-12') }), 0, '2027-04-06')).toBe('04-12>04-12 then 1');
  });
});
