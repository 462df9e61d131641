import { describe, expect, test } from '@jest/globals';
import { frequencies, occurrence } from '../../engine/time/rules/occurrences.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { scheduleOf, type PeriodicPaymentInitiation } from '../../engine/payments/rules/payment-initiation.ts';
import { checkPeriodicDates, checkRequestedDate } from '../../engine/payments/rules/check-dates.ts';
import { dayOfOrder } from '../../engine/payments/rules/plan.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { products } from '../../engine/values/product.ts';
import { calendar } from '../lab/bank.ts';

const today = localDate('2027-03-24');

describe('P3: a requested execution date', () => {
  const order = { isSingle: true, product: products.domestic, inside: null };
  const terms = { schedule: runSchedule(defaultSettlementTimes, calendar), quirks: noQuirks };

  test.each([
    ['2027-03-24', '2027-03-24', null],
    ['2027-03-25', '2027-03-30', 'Skjærtorsdag'],
    ['2027-03-27', '2027-03-30', 'Saturday'],
    ['2099-12-30', '2099-12-30', null],
  ])('%s is executed on %s, moved from %s', (requested, executed, movedFrom) => {
    const wanted = localDate(requested);
    expect(checkRequestedDate(wanted, today)).toEqual({ faults: [], warnings: [] });
    expect(dayOfOrder(order, wanted, today, terms)).toBe(executed);
    expect(calendar.closure(wanted)).toBe(movedFrom);
  });

  test('today, a closed day, is moved like any other; what settles at once is not', () => {
    const closed = localDate('2027-03-25');
    expect(checkRequestedDate(closed, closed).faults).toEqual([]);
    expect(dayOfOrder(order, closed, closed, terms)).toBe('2027-03-30');
    expect(dayOfOrder({ ...order, product: products.straks }, closed, closed, terms)).toBe(closed);
  });

  test.each(['2027-03-23', '2100-01-01'])('T7: %s is EXECUTION_DATE_INVALID', (requested) => {
    const { faults } = checkRequestedDate(localDate(requested), today);
    expect(faults.map(({ code, path }) => [code, path])).toEqual([
      ['EXECUTION_DATE_INVALID', 'requestedExecutionDate'],
    ]);
  });
});

describe('R7: the dates of a periodic payment', () => {
  const body: PeriodicPaymentInitiation = {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Shop',
    startDate: localDate('2027-04-01'),
    frequency: 'Monthly',
  };
  const judge = (changes: Partial<PeriodicPaymentInitiation>) =>
    checkPeriodicDates({ ...body, ...changes }, today, calendar);

  test.each<[string, Partial<PeriodicPaymentInitiation>]>([
    ['open-ended', {}],
    ['starting today', { startDate: today }],
    ['one day long', { endDate: localDate('2027-04-01') }],
    ['with a day of execution inside', { dayOfExecution: '12', endDate: localDate('2027-04-12') }],
    ['with a listed month inside', { frequency: 'MonthlyVariable', monthsOfExecution: [4] }],
    ['to the last day', { endDate: localDate('2099-12-31') }],
    ['R7b: to a day after the last', { endDate: localDate('2100-01-01') }],
    ['R7b: to the end of the calendar', { endDate: localDate('9999-12-31') }],
  ])('%s: accepted', (_, changes) => {
    expect(judge(changes)).toEqual({ faults: [], warnings: [] });
  });

  test.each<[string, Partial<PeriodicPaymentInitiation>, string]>([
    ['startDate before today', { startDate: localDate('2027-03-23') }, 'startDate'],
    ['startDate beyond 2099', { startDate: localDate('2100-01-01') }, 'startDate'],
    ['no day of execution in the period', { dayOfExecution: '12', endDate: localDate('2027-04-11') }, 'endDate'],
    [
      'no listed month in the period',
      { frequency: 'MonthlyVariable', monthsOfExecution: [3], endDate: localDate('2027-05-01') },
      'endDate',
    ],
  ])('%s: EXECUTION_DATE_INVALID', (_, changes, path) => {
    expect(judge(changes).faults.map((fault) => [fault.code, fault.path])).toEqual([['EXECUTION_DATE_INVALID', path]]);
  });

  test('R7b: an end after 2099-12-31 is none', () => {
    expect(scheduleOf({ ...body, endDate: localDate('2099-12-31') }).endDate).toBe('2099-12-31');
    for (const end of ['2100-01-01', '9999-12-31']) {
      expect(scheduleOf({ ...body, endDate: localDate(end) })).toEqual(scheduleOf(body));
    }
  });

  test.each(frequencies)('R3: with %s dayOfExecution decides the dates, or is warned of', (frequency) => {
    const monthly = { ...body, frequency, startDate: localDate('2027-04-01'), monthsOfExecution: [4] };
    const wanted = { ...monthly, dayOfExecution: '12' };
    const isWarned = checkPeriodicDates(wanted, today, calendar).warnings.some(({ path }) => path === 'dayOfExecution');
    const first = occurrence(scheduleOf(wanted), 0, calendar)?.nominalDate;
    expect(first).toBe(isWarned ? '2027-04-01' : '2027-04-12');
    // A month that lacks the day is told of the schedule that is kept: without a day that is ignored.
    expect(scheduleOf(wanted).dayOfExecution).toBe(isWarned ? null : 12);
  });

  test.each<[string, Partial<PeriodicPaymentInitiation>, string[]]>([
    ['R3: dayOfExecution with Daily', { frequency: 'Daily', dayOfExecution: '12' }, ['dayOfExecution']],
    ['R3: dayOfExecution with EveryTwoWeeks', { frequency: 'EveryTwoWeeks', dayOfExecution: '12' }, ['dayOfExecution']],
    ['R5: monthsOfExecution with Monthly', { monthsOfExecution: [1, 2] }, ['monthsOfExecution']],
    [
      'both',
      { frequency: 'Weekly', dayOfExecution: '1', monthsOfExecution: [1] },
      ['dayOfExecution', 'monthsOfExecution'],
    ],
  ])('%s: accepted, ignored, WARNING', (_, changes, paths) => {
    const { faults, warnings } = judge(changes);
    expect(faults).toEqual([]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual(paths.map((path) => ['FORMAT_ERROR', path]));
  });
});
