import { describe, expect, test } from '@jest/globals';
import { executionDateWhenSigned } from '../../engine/time/rules/banking-calendar.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { calendar } from '../lab/bank.ts';

describe('P3: the execution date of a requested date', () => {
  test.each([
    ['2027-03-24', '2027-03-24', null],
    ['2027-03-25', '2027-03-30', 'skjærtorsdag'],
    ['2027-03-27', '2027-03-30', 'saturday'],
    ['2027-04-10', '2027-04-12', 'saturday'],
    ['2027-04-11', '2027-04-12', 'sunday'],
    ['2027-12-24', '2027-12-27', 'julaften'],
    ['2027-12-31', '2027-12-31', null],
    ['2026-12-31', '2026-12-31', null],
    ['2028-01-01', '2028-01-03', 'første nyttårsdag'],
  ])('%s is executed on %s, moved from %s', (requested, date, movedFrom) => {
    const wanted = localDate(requested);
    const found = executionDateWhenSigned(wanted, wanted, calendar);
    expect([found, calendar.closure(wanted)?.toLowerCase() ?? null]).toEqual([date, movedFrom]);
  });
});

describe('P13: the execution date of a payment that is signed today', () => {
  test.each([
    ['to come', '2027-04-15', '2027-04-12', '2027-04-15'],
    ['today', '2027-04-12', '2027-04-12', '2027-04-12'],
    ['passed', '2027-04-12', '2027-04-14', '2027-04-14'],
    ['passed, signed on a closed day', '2027-04-12', '2027-04-17', '2027-04-19'],
    ['passed, signed at Easter', '2027-03-19', '2027-03-25', '2027-03-30'],
  ])('%s: agreed %s, signed %s, executed %s', (_, agreed, today, executed) => {
    expect(executionDateWhenSigned(localDate(agreed), localDate(today), calendar)).toBe(executed);
  });
});
