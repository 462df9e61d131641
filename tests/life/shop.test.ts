import { expect, test } from '@jest/globals';
import { beginLife } from '../../engine/life/begin-life.ts';
import { ore } from '../../engine/life/rules/event-amounts.ts';
import { amountOf, type Happening, salariesOf } from '../../engine/life/rules/happening.ts';
import { Course } from '../../engine/life/rules/life-on.ts';
import { Almanac } from '../../engine/life/rules/occasions.ts';
import type { LifeEvent } from '../../engine/life/rules/persona.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { isKid } from '../../engine/payments/rules/kid.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { monthDay, weekday } from '../../engine/values/local-date.ts';
import { at, calendar } from '../lab/bank.ts';

import { lowestOf, numbers, open, personaNamed, statement } from './lived-banks.ts';

/* rules.md L9: the books of a shop, as its accountant would read them. */

const shop = personaNamed('shop');
const runs = runSchedule(defaultSettlementTimes, calendar);

function yearOf(year: number, account = '99890500012'): readonly Happening[] {
  const life = { persona: shop, seed: 'sandbank', account, holder: 'Garnboden AS', role: null, others: [] };
  const course = new Course(life, new Almanac(shop, calendar), runs);
  return course.between(monthDay(year, 1, 1), monthDay(year, 12, 31)).filter(({ action }) => action.kind !== 'reserve');
}

/** Kroner that these events moved. */
function kroner(happenings: readonly Happening[], events: RegExp): number {
  return happenings.reduce(
    (sum, { event, action }) => sum + (events.test(event) ? Number(amountOf(action)) / 100 : 0),
    0,
  );
}

const sales = /^(?:card-sales|vipps-sales|cash-deposit-\d|invoice-.*)$/;
const goods = /wholesaler|importer|button-supplier|spinner/;
const others =
  /^(?:freight|packaging|rent|electricity|telecom|accounting|till|accountant|cleaning|alarm|advertising|repairs|supplies|card-terminal-rent|web-shop)/;
const withoutVat = /fee|insurance/;
const wages = /^(?:salaries|holiday-pay|withheld|payroll|occupational)/;

test.each([2026, 2027, 2028])('L9e: the books of the shop for %i are those of a shop that lives', (year) => {
  for (const account of ['99890500012', '99890500101', '99890500209']) {
    const happenings = yearOf(year, account);
    const sold = kroner(happenings, sales);
    const [bought, other, paid] = [goods, others, wages].map((events) => -kroner(happenings, events)) as [
      number,
      number,
      number,
    ];
    expect(bought / sold).toBeGreaterThan(0.55);
    expect(bought / sold).toBeLessThan(0.65);
    expect(paid / (sold / 1.25)).toBeGreaterThan(0.2);
    expect(paid / (sold / 1.25)).toBeLessThan(0.27);
    const due = (sold - bought - other) / 5;
    expect(Math.abs(-kroner(happenings, /^vat-/) / due - 1)).toBeLessThan(0.1);
    const result = (sold - bought - other) / 1.25 - paid + kroner(happenings, withoutVat);
    expect(result / (sold / 1.25)).toBeGreaterThan(0.03);
    expect(result / (sold / 1.25)).toBeLessThan(0.1);
    // A company pays 22 per cent of its result.
    expect(-kroner(happenings, /^corporation-tax/) / result).toBeGreaterThan(0.18);
    expect(-kroner(happenings, /^corporation-tax/) / result).toBeLessThan(0.26);
  }
});

test('L9e: the taxes of the shop are those of its salaries, and come on their days', () => {
  const find = (name: string): LifeEvent => {
    const event = shop.events.find((each) => each.event === name);
    if (event === undefined) throw new Error(`no event ${name}`);
    return event;
  };
  const cost = (name: string): number => {
    const event = find(name);
    return event.kind === 'bulk' ? Number(salariesOf(event)) : 'amount' in event ? -Number(ore(event.amount)) : 0;
  };
  const gross = cost('salaries') + cost('withheld-tax');
  expect(cost('salaries-with-half-tax') + cost('withheld-half-tax')).toBe(gross);
  expect(cost('withheld-half-tax')).toBe(cost('withheld-tax') / 2);
  // 12 per cent of eleven months.
  expect(cost('holiday-pay')).toBe((gross * 11 * 12) / 100);
  const due = (base: number): number => Math.floor((0.141 * (base + 2 * cost('occupational-pension'))) / 100) * 100;
  expect(cost('payroll-tax')).toBe(due(2 * gross));
  expect(cost('payroll-tax-with-holiday-pay')).toBe(due(gross + cost('holiday-pay')));
  const days = (events: RegExp): string[] =>
    yearOf(2026).flatMap(({ event, at: time }) => (events.test(event) ? [osloDate(time).slice(5)] : []));
  expect(days(/^(?:salaries|holiday-pay)/)).toEqual([
    '01-15',
    '02-13',
    '03-13',
    '04-15',
    '05-15',
    '06-15',
    '07-15',
    '08-14',
    '09-15',
    '10-15',
    '11-13',
    '12-15',
  ]);
  expect(days(/^withheld/)).toEqual([
    '01-16',
    '02-16',
    '03-16',
    '04-16',
    '05-18',
    '07-16',
    '08-17',
    '09-16',
    '10-16',
    '11-16',
    '12-16',
  ]);
  expect(days(/^payroll/)).toEqual(['01-15', '03-16', '05-15', '07-15', '09-15', '11-16']);
  expect(days(/^vat-/)).toEqual(['02-10', '04-10', '06-10', '08-31', '10-12', '12-10']);
  expect(days(/^corporation/)).toEqual(['02-16', '04-15']);
});

test('L9e: whatever the shop pays by invoice has a KID with its check digit or the number of the invoice', () => {
  const kinds = { kid: 0, number: 0 };
  for (const { event, action } of yearOf(2027)) {
    if (action.kind !== 'post' || action.amount >= 0n || action.details.creditorName === undefined) continue;
    if (/^(?:card-terminal-fee|invoice-paid-back|dividend)$/.test(event)) continue;
    const { remittanceInformationStructuredArray: [kid] = [], remittanceInformationUnstructured: text } =
      action.details;
    const hasKid = kid !== undefined && isKid(kid.reference, 'MOD10');
    expect([event, hasKid || /faktura \d{4,}$/i.test(text ?? '')]).toEqual([event, true]);
    kinds[hasKid ? 'kid' : 'number'] += 1;
  }
  expect(kinds.kid).toBeGreaterThan(200);
  expect(kinds.number).toBeGreaterThan(10);
});

test('L9e: the shop sells most on Saturdays and in December, and differently on each day', () => {
  const sold = yearOf(2027).flatMap(({ event, action }) => {
    const text = 'details' in action ? (action.details.remittanceInformationUnstructured ?? '') : '';
    const [, day = '', month = ''] = /(\d\d)\.(\d\d)$/.exec(text) ?? [];
    // The sales of the last day of 2026.
    if (event !== 'card-sales' || !('bookingDate' in action) || action.bookingDate < '2027-01-05') return [];
    return [{ date: monthDay(2027, Number(month), Number(day)), amount: Number(amountOf(action)) }];
  });
  const mean = (of: (one: (typeof sold)[number]) => boolean): number => {
    const some = sold.filter(of);
    return some.reduce((sum, { amount }) => sum + amount, 0) / some.length;
  };
  const onDay = (day: number): number => mean(({ date }) => weekday(date) === day);
  for (const day of [1, 2, 3, 4, 5]) expect(onDay(6) / onDay(day)).toBeGreaterThan(1.15);
  const inMonth = (month: string): number => mean(({ date }) => date.slice(5, 7) === month);
  for (const month of ['01', '02', '06', '07', '10']) expect(inMonth('12') / inMonth(month)).toBeGreaterThan(1.2);
  expect(new Set(sold.map(({ amount }) => amount)).size / sold.length).toBeGreaterThan(0.95);
});

test('L9e: the account of a shop neither goes below zero nor grows for ever', async () => {
  await using lived = await open();
  const [number = ''] = numbers;
  await beginLife(lived, number, { persona: shop });
  await advanceClock(lived, at('2029-11-23T10:00:00+01:00'));
  const { entries } = await statement(lived, number);
  expect(lowestOf(entries)).toBeGreaterThan(0n);
  const highest = entries.reduce((high, { balance }) => (balance.minor > high ? balance.minor : high), 0n);
  expect(highest).toBeLessThan(70_000_000n);
});
