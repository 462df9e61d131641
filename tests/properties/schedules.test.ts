import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isBankingDay } from '../../engine/time/rules/banking-calendar.ts';
import {
  frequencies,
  firstIndexFrom,
  occurrence,
  occurrences,
  type Occurrence,
  type Schedule,
} from '../../engine/time/rules/occurrences.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { addDays, dayOf, epochDay, fromEpochDay, localDate, monthOf } from '../../engine/values/local-date.ts';
import {
  countRuns,
  firstRunAfter,
  lastRunAtOrBefore,
  runId,
  runSchedule,
} from '../../engine/time/rules/settlement-run.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { runs } from '../support/sample.ts';

const calendar = norwegianCalendar();
const dates = fc
  .integer({ min: epochDay(localDate('1991-01-01')), max: epochDay(localDate('2090-12-31')) })
  .map(fromEpochDay);
const schedules: fc.Arbitrary<Schedule> = fc.record({
  startDate: dates,
  endDate: fc.constant(null),
  frequency: fc.constantFrom(...frequencies),
  executionRule: fc.constantFrom('following', 'preceding'),
  dayOfExecution: fc.option(fc.integer({ min: 1, max: 31 })),
  monthsOfExecution: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
});

function first(schedule: Schedule, count: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (const one of occurrences(schedule, calendar)) {
    if (found.push(one) === count) break;
  }
  return found;
}

/** Day by day from startDate: is this day a nominal date? The rules again, told the slow way. */
function nominalsByWalking(schedule: Schedule, count: number): string[] {
  const { startDate, frequency, monthsOfExecution } = schedule;
  const wanted = schedule.dayOfExecution ?? dayOf(startDate);
  const days = { Daily: 1, Weekly: 7, EveryTwoWeeks: 14 }[frequency as string];
  const step = { Monthly: 1, EveryTwoMonths: 2, Quarterly: 3, SemiAnnual: 6, Annual: 12 }[frequency as string];
  const found: string[] = [];
  let hits = 0;
  for (let date = startDate; found.length < count; date = addDays(date, 1)) {
    if (days !== undefined) {
      if ((epochDay(date) - epochDay(startDate)) % days === 0) found.push(date);
      continue;
    }
    const lastOfMonth = monthOf(addDays(date, 1)) !== monthOf(date);
    if (dayOf(date) !== wanted && !(lastOfMonth && dayOf(date) < wanted)) continue;
    if (step === undefined ? monthsOfExecution?.includes(monthOf(date)) : hits++ % step === 0) found.push(date);
  }
  return found;
}

describe('R2-R7: schedules', () => {
  test('nominal dates are those found by walking day by day', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const found = first(schedule, 8).map((one) => one.nominalDate);
        expect(found).toEqual(nominalsByWalking(schedule, 8));
      }),
    );
  });

  test('R2: the n-th occurrence is the same alone and in order', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        for (const one of first(schedule, 30)) {
          expect(occurrence(schedule, one.index, calendar)).toEqual(one);
        }
      }),
    );
  });

  test('R6: it is executed on the nearest banking day in the direction of the rule', () => {
    fc.assert(
      fc.property(schedules, fc.nat({ max: 100 }), (schedule, index) => {
        const one = occurrence(schedule, index, calendar);
        if (one === null) return;
        const step = schedule.executionRule === 'following' ? 1 : -1;
        for (let date = one.nominalDate; date !== one.executionDate; date = addDays(date, step)) {
          expect(isBankingDay(date, calendar)).toBe(false);
        }
        expect(isBankingDay(one.executionDate, calendar)).toBe(true);
      }),
    );
  });

  test('the first index from a date is the first whose nominal date is not before it', () => {
    fc.assert(
      fc.property(schedules, dates, (schedule, date) => {
        const index = firstIndexFrom(schedule, date);
        const found = occurrence(schedule, index, calendar);
        if (found !== null) expect(found.nominalDate >= date).toBe(true);
        if (index > 0) {
          const before = occurrence(schedule, index - 1, calendar);
          expect(before !== null && before.nominalDate < date).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('R7: an end date keeps exactly the nominal dates up to and including it', () => {
    fc.assert(
      fc.property(schedules, fc.nat({ max: 400 }), (schedule, days) => {
        const endDate = addDays(schedule.startDate, days);
        const kept = [...occurrences({ ...schedule, endDate }, calendar)];
        expect(kept).toHaveLength(firstIndexFrom(schedule, addDays(endDate, 1)));
      }),
    );
  });
});

describe('T4: runs', () => {
  const instants = fc
    .integer({ min: Date.parse('1995-01-01T00:00:00Z'), max: Date.parse('2090-01-01T00:00:00Z') })
    .map((ms) => ms as Instant);
  const times = fc
    .uniqueArray(fc.constantFrom('00:00', '01:59', '03:00', '05:30', '12:00', '23:59'), { minLength: 1 })
    .map((list) => list.toSorted());
  const runSchedules = times.map((list) => runSchedule({ private: list, corporate: list }, calendar));

  test('the count is the number of steps from run to run', () => {
    fc.assert(
      fc.property(instants, fc.nat({ max: 30 * 86_400_000 }), runSchedules, (after, ms, schedule) => {
        const through = (after + ms) as Instant;
        let steps = 0;
        for (let run = firstRunAfter(after, schedule.all); run.at <= through; run = firstRunAfter(run.at, schedule.all))
          steps += 1;
        expect(countRuns(after, through, schedule.all)).toBe(steps);
      }),
    );
  });

  test('counts of adjoining spans add up over years', () => {
    const span = fc.nat({ max: 5 * 365 * 86_400_000 });
    fc.assert(
      fc.property(instants, span, span, runSchedules, (a, first, second, schedule) => {
        const [b, c] = [(a + first) as Instant, (a + first + second) as Instant];
        expect(countRuns(a, b, schedule.all) + countRuns(b, c, schedule.all)).toBe(countRuns(a, c, schedule.all));
      }),
      { numRuns: 20 },
    );
  });

  test('the last run before an instant and the next one after it are neighbours', () => {
    fc.assert(
      fc.property(instants, runSchedules, (at, schedule) => {
        const [last, next] = [lastRunAtOrBefore(at, schedule.booking), firstRunAfter(at, schedule.booking)];
        expect(last.at).toBeLessThanOrEqual(at);
        expect(next.at).toBeGreaterThan(at);
        expect(runId(firstRunAfter(last.at, schedule.booking))).toBe(runId(next));
        expect(runId(lastRunAtOrBefore((next.at - 1) as Instant, schedule.booking))).toBe(runId(last));
      }),
    );
  });
});
