import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatInstant, parseInstant, timeOfDay } from '../../engine/values/instant.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import {
  countRuns,
  defaultSettlementTimes,
  nicsTimes,
  nthRunAfter,
  firstRunAfter,
  firstRunIfSigned,
  firstRunOnOrAfter,
  lastRunAtOrBefore,
  parseSettlementTimes,
  runId,
  runsOn,
  runSchedule,
  settlementTimesText,
} from '../../engine/time/rules/settlement-run.ts';
import { noCutOffs, parseCutOffs } from '../../engine/time/rules/cut-offs.ts';
import { domesticLane } from '../../engine/time/rules/lanes.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';

const calendar = norwegianCalendar();
const schedule = runSchedule(defaultSettlementTimes, calendar);

function instant(text: string): Instant {
  const found = parseInstant(text);
  if (found === null) throw new Error(`no instant: ${text}`);
  return found;
}

describe('T4: settlement times', () => {
  test.each([
    ['05:30,09:30,11:30,13:30,15:30', [...nicsTimes]],
    [' 00:00 , 23:59 ', ['00:00', '23:59']],
    ['01:59,03:00', ['01:59', '03:00']],
  ])('%j is read', (text, times) => {
    expect(parseSettlementTimes(text)).toEqual({ ok: true, value: { private: times, corporate: times } });
  });

  test.each([
    ['private=09:00,14:00/corporate=09:00,15:00', ['09:00', '14:00'], ['09:00', '15:00']],
    [' corporate = 00:10 , 14:00 ', nicsTimes, ['00:10', '14:00']],
    ['private=12:00', ['12:00'], nicsTimes],
  ])('T4b: %j is read, and a type that is left out has the default', (text, ofPrivate, corporate) => {
    const times = { private: ofPrivate, corporate };
    expect(parseSettlementTimes(text)).toEqual({ ok: true, value: times });
    expect(parseSettlementTimes(settlementTimesText(times))).toEqual({ ok: true, value: times });
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['09:30,05:30', '05:30 follows 09:30'],
    ['05:30,05:30', 'twice'],
    ['05:30,', '"" is not HH:MM'],
    ['5:30', 'not HH:MM'],
    ['24:00', 'not HH:MM'],
    ['05:60', 'not HH:MM'],
    ['05:30;09:30', 'not HH:MM'],
    ['02:00', '02:00-03:00'],
    ['01:00,02:59', '02:00-03:00'],
    ['private=09:00/corporate=15:00,14:00', 'of corporate customers 14:00 follows 15:00'],
    ['private=09:00,09:00', 'of private customers 09:00 is given twice'],
    ['private=', 'of private customers: the list is empty'],
    ['private=09:00/private=10:00', 'private customers are given twice'],
    ['company=09:00', '"company" is no type of customer: there are private and corporate'],
    ['09:00/corporate=10:00', '"09:00" is not private='],
    ['private=09:00=10:00', 'is not private='],
    ['private=02:30', 'inside 02:00-03:00'],
  ])('%j is refused: %s', (text, problem) => {
    expect(parseSettlementTimes(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe('T4: five runs on each banking day', () => {
  test('each at its Oslo time, identified by date and number', () => {
    const runs = runsOn(localDate('2027-03-30'), schedule.booking);
    expect(runs.map(runId)).toEqual([1, 2, 3, 4, 5].map((number) => `2027-03-30/${number}`));
    expect(runs.map((run) => formatInstant(run.at).slice(11))).toEqual(nicsTimes.map((time) => `${time}:00.000+02:00`));
  });

  test.each(['2027-03-26', '2027-03-28', '2027-12-24', '2027-05-17'])('none on %s, a closed day', (date) => {
    expect(runsOn(localDate(date), schedule.booking)).toEqual([]);
  });

  test.each([
    ['2027-03-30T05:29:59.999+02:00', '2027-03-30/1', '2027-03-24/5'],
    ['2027-03-30T05:30:00.000+02:00', '2027-03-30/2', '2027-03-30/1'],
    ['2027-03-30T13:29:00.000+02:00', '2027-03-30/4', '2027-03-30/3'],
    ['2027-03-30T15:30:00.000+02:00', '2027-03-31/1', '2027-03-30/5'],
    ['2027-03-24T16:00:00.000+01:00', '2027-03-30/1', '2027-03-24/5'],
    ['2027-12-31T23:59:00.000+01:00', '2028-01-03/1', '2027-12-31/5'],
  ])('after %s the next is %s, the last was %s', (at, next, last) => {
    expect(runId(firstRunAfter(instant(at), schedule.booking))).toBe(next);
    expect(runId(lastRunAtOrBefore(instant(at), schedule.booking))).toBe(last);
  });

  test('the first run of a date, or of the banking day after it', () => {
    expect(runId(firstRunOnOrAfter(localDate('2027-03-25'), schedule.booking))).toBe('2027-03-30/1');
    expect(runId(firstRunOnOrAfter(localDate('2027-03-31'), schedule.booking))).toBe('2027-03-31/1');
  });

  test.each([
    ['2027-03-30T05:29:00+02:00', '2027-03-30T05:30:00+02:00', 1, 'the end is included'],
    ['2027-03-30T05:30:00+02:00', '2027-03-30T05:30:01+02:00', 0, 'the start is not'],
    ['2027-03-30', '2027-03-31', 5, 'one day'],
    ['2027-03-24T12:00:00+01:00', '2027-03-30T12:00:00+02:00', 5, 'two runs, Easter, three runs'],
    ['2027-03-31', '2027-03-30', 0, 'out of order'],
    ['2027-01-01', '2028-01-01', 1270, 'the 254 banking days of 2027'],
  ])('from %s through %s there are %i: %s', (after, through, count) => {
    expect(countRuns(instant(after), instant(through), schedule.all)).toBe(count);
  });
});

/** Handelsbanken's two lists (register 57). */
const handelsbanken = {
  private: ['00:00', '08:15', '10:00', '11:30', '14:00'],
  corporate: ['00:00', '08:45', '10:00', '11:30', '14:00', '15:00'],
};

describe('T4b: runs by customer', () => {
  const runs = runSchedule(handelsbanken, norwegianCalendar());

  test('a day has the runs of all times, in order; each says whose it is, unless it is for all', () => {
    expect(
      runsOn(localDate('2027-03-30'), runs.booking).map((run) => [run.number, timeOfDay(run.at), run.only]),
    ).toEqual([
      [1, '00:00', undefined],
      [2, '08:15', 'private'],
      [3, '08:45', 'corporate'],
      [4, '10:00', undefined],
      [5, '11:30', undefined],
      [6, '14:00', undefined],
      [7, '15:00', 'corporate'],
    ]);
  });

  test.each([
    ['private', '2027-03-30T08:15:00+02:00', '2027-03-30/4'],
    ['corporate', '2027-03-30T08:00:00+02:00', '2027-03-30/3'],
    ['private', '2027-03-30T14:00:00+02:00', '2027-03-31/1'],
    ['corporate', '2027-03-30T14:00:00+02:00', '2027-03-30/7'],
    ['corporate', '2027-03-24T15:00:00+01:00', '2027-03-30/1'],
  ] as const)('%s: the first run after %s is %s, by the number of all runs', (type, after, id) => {
    expect(runId(firstRunAfter(instant(after), runs.of(domesticLane(type))))).toBe(id);
  });

  test('equal lists are one', () => {
    const equal = runSchedule({ private: nicsTimes, corporate: [...nicsTimes] }, calendar);
    const day = localDate('2027-03-30');
    const runs = runsOn(day, schedule.booking);
    expect(runs).toHaveLength(5);
    for (const same of [equal.booking, equal.all, equal.of(domesticLane('corporate'))])
      expect(runsOn(day, same)).toEqual(runs);
  });
});

describe('T3, T4, T4d: payments settle on the days banks have published', () => {
  const rows = readFileSync(new URL('../data/settlement-published.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t'));

  test('there are rows', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });

  test.each(rows)('approved %j, due %s: settled on %s', (approvedAt = '', dueDate = '', settledOn = '', ...more) => {
    const cutOffs = parseCutOffs(more[2] ?? '');
    const rules = { ...noCutOffs, ...(cutOffs.ok && { cutOffs: cutOffs.value }) };
    const due = firstRunOnOrAfter(localDate(dueDate), schedule.booking);
    const ofOrder = runSchedule(defaultSettlementTimes, calendar, rules).of(domesticLane('private'));
    const signed = approvedAt === '' ? due : firstRunIfSigned(instant(approvedAt), ofOrder);
    expect(due.at > signed.at ? due.date : signed.date).toBe(settledOn);
  });
});

test.each([
  ['2027-03-24T15:29:59.999+01:00', 1, '2027-03-24/5'],
  ['2027-03-24T15:30:00.000+01:00', 1, '2027-03-30/1'],
  ['2027-03-24T15:30:00.000+01:00', 5, '2027-03-30/5'],
  ['2027-03-24T15:30:00.000+01:00', 6, '2027-03-31/1'],
])('T6: after %s run %i is %s, unless it is later than the latest instant', (after, n, id) => {
  const run = nthRunAfter(instant(after), n, schedule.booking, instant('2027-04-30T00:00:00.000+02:00'));
  expect(run === null ? null : runId(run)).toBe(id);
  const at = run?.at ?? (0 as Instant);
  expect(nthRunAfter(instant(after), n, schedule.booking, at)).toEqual(run);
  expect(nthRunAfter(instant(after), n, schedule.booking, (at - 1) as Instant)).toBeNull();
});
