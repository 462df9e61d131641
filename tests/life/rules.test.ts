import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listedPersona, personaNames } from '../../api/start/fixtures.ts';
import { bookingDay, bookingDays } from '../../engine/life/rules/card-lags.ts';
import { ore } from '../../engine/life/rules/event-amounts.ts';
import { beginningOfOrder } from '../../engine/life/rules/event-on.ts';
import { amountOf, type Happening } from '../../engine/life/rules/happening.ts';
import { Course } from '../../engine/life/rules/life-on.ts';
import { Almanac } from '../../engine/life/rules/occasions.ts';
import { type CardKind, type Life, type LifeEvent, livedAs, type Persona } from '../../engine/life/rules/persona.ts';
import { categories } from '../../engine/life/rules/persona.ts';
import { interestOf } from '../../engine/life/rules/interest.ts';
import { leftOver } from '../../engine/life/rules/interpret.ts';
import { isBankingDay } from '../../engine/time/rules/banking-calendar.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { isBbanMod11 } from '../../engine/values/account-number.ts';
import { formatInstant, fromLocal, osloDate } from '../../engine/values/instant.ts';
import { addDays, daysBetween, epochDay, localDate, monthDay } from '../../engine/values/local-date.ts';
import { calendar } from '../lab/bank.ts';
import { oneOf, someOf } from '../support/sample.ts';

const runs = runSchedule(defaultSettlementTimes, calendar);
const personas = await Promise.all(personaNames().map(async (name) => livedAs(await listedPersona(name), null)));

function lifeOf(persona: Persona, account: string): Life {
  return { persona, seed: 'sandbank', account, holder: 'Kari Myhrvold', role: null, others: [] };
}

function courseOf(persona: Persona, account: string): Course {
  return new Course(lifeOf(persona, account), new Almanac(persona, calendar), runs);
}

/** What happens in the months of 2026 to an account whose persona has this event alone. */
function yearWith(event: LifeEvent): Happening[] {
  const persona = { name: 'one', description: 'One event', netPerYear: '0.00', events: [event] };
  const happenings = courseOf(persona, '99890500012').between(localDate('2025-12-01'), localDate('2027-01-31'));
  return happenings.filter(({ key }) => Math.floor(Number(key.split('.')[1]) / 12) === 2026);
}

test('L11: docs/life.md has each category, in the order of the list', () => {
  const [, list = ''] = readFileSync('docs/life.md', 'utf8').split(/^The categories, .*\n\n/m);
  const [rows = ''] = list.split('\n\n');
  expect([...rows.matchAll(/^- `([a-z ]+)`: \S/gm)].map(([, name]) => name)).toEqual([...categories]);
});

test('the listed personas are those of docs/life.md', () => {
  expect(personaNames()).toEqual(['family', 'pensioner', 'shop', 'short-of-funds', 'student']);
});

test.each(someOf('years', personas, 2))(
  'a year of $name, at the amounts of its file, nets to what the file says, within a tenth, or a fifth for the open days of a shop',
  ({ rises: _rises, ...persona }) => {
    const wanted = Number(ore(persona.netPerYear));
    const slack = persona.name === 'shop' ? 5 : 10;
    for (const account of ['99890500012', '99890500101', '99890500209']) {
      const course = courseOf(persona, account);
      const nets = [2026, 2027, 2028].map((year) => {
        const happenings = course.between(monthDay(year, 1, 1), monthDay(year, 12, 31));
        const replaced = new Set(happenings.flatMap(({ key, unless }) => (unless === undefined ? [] : [key])));
        const moving = happenings.filter(
          ({ action, key, hangsOn = '' }) => action.kind !== 'reserve' && !replaced.has(key) && !replaced.has(hangsOn),
        );
        return moving.reduce((sum, { action }) => sum + Number(amountOf(action)), 0);
      });
      for (const net of nets) expect(Math.abs(net - wanted)).toBeLessThan(Math.abs(wanted) / slack);
    }
  },
);

/** The amounts of an event by the months of its days, in kroner. */
function amountsByMonth(event: object, rise: object, from: string, to: string): Record<string, number> {
  const persona = { name: 'one', description: 'x', netPerYear: '0.00', events: [event], rises: [rise] };
  const happenings = courseOf(persona as unknown as Persona, '99890500012').between(localDate(from), localDate(to));
  const ends = happenings.filter(({ action }) => action.kind !== 'reserve');
  return Object.fromEntries(ends.map(({ at, action }) => [osloDate(at).slice(0, 7), Number(amountOf(action)) / 100]));
}

const wages = { since: '2026-05-01', percent: '3.00', categories: ['salary', 'wages', 'subscription'] } as const;
const paid = { event: 'pay', category: 'salary', kind: 'transfer', when: { days: [12], rule: 'preceeding' } } as const;

test('L14: pay rises with the payday of May by whole kroner, each year, and was lower before', () => {
  const amounts = amountsByMonth({ ...paid, amount: '30000.40' }, wages, '2025-01-01', '2028-12-31');
  const yearly = [28278.4, 29127.4, 30000.4, 30900.4, 31827.4];
  for (const [month, amount] of Object.entries(amounts)) {
    const years = Number(month.slice(0, 4)) - 2024 - (month.slice(5) < '05' ? 1 : 0);
    expect([month, amount]).toEqual([month, yearly[years]]);
  }
  expect(Object.keys(amounts)).toHaveLength(48);
});

test('L14: a rise that is paid a month later comes with what was missing', () => {
  const amounts = amountsByMonth(
    { ...paid, amount: '20000.00' },
    { ...wages, paidLater: 1 },
    '2027-03-01',
    '2027-08-31',
  );
  expect(Object.values(amounts)).toEqual([20000, 20000, 20000, 21200, 20600, 20600]);
});

test('L14: an amount rises in its steps and never to nothing; salaries that are paid rise; other currencies, and fees drawn with sales, do not', () => {
  const [first, last] = ['2030-03-01', '2030-03-31'];
  const one = (event: object, rise: object = wages): number | undefined =>
    amountsByMonth({ ...paid, ...event }, rise, first, last)['2030-03'];
  expect(one({ amount: '1200.00', roundTo: '500.00' })).toBe(1200);
  expect(one({ amount: '6000.00', roundTo: '500.00' })).toBe(6500);
  expect(one({ amount: '2.00' }, { ...wages, since: '2090-05-01', percent: '9.99' })).toBe(1);
  const payees = [10_000, 20_000].map((amount) => ({ name: 'x', account: '99890412358', amount: `${amount}.00` }));
  expect(one({ category: 'wages', kind: 'bulk', payees, text: 'Lønn' })).toBe(-10927 - 21854);
  const abroad = { category: 'subscription', kind: 'card', card: 'foreign', shops: ['A'], amount: '-100.00' };
  const now = one({ ...abroad, foreign: { currency: 'EUR', rate: '10.00' } });
  expect(now).toBe(one({ ...abroad, foreign: { currency: 'EUR', rate: '10.00' } }, { ...wages, categories: ['tax'] }));
  expect(one({ amount: '10.00', drawnWith: 'none' })).toBe(10);
});

test('a transfer that is drawn with a standing order is in proportion to its amount', () => {
  const { when } = paid;
  const payee = { text: 'x', party: { name: 'x', account: '99890412358' } };
  const order = { event: 'order', kind: 'standing order', when, amount: '200.00', ...payee };
  const fee = { event: 'fee', kind: 'transfer', when, amount: '-2.00', upTo: '-90.00', drawnWith: 'order' };
  const persona = { name: 'one', description: 'x', netPerYear: '0.00', events: [order, fee] } as unknown as Persona;
  const happenings = courseOf(persona, '99890500012').between(monthDay(2030, 1, 1), monthDay(2030, 3, 31));
  const fees = happenings.filter(({ event }) => event === 'fee');
  expect(fees.map(({ action }) => amountOf(action))).toEqual([-200n, -200n, -200n]);
});

test.each(someOf('ten years', personas, 2))(
  'L14: over ten years of $name each pay, pension and rent rises once a year, by two or three per cent',
  (persona) => {
    const course = courseOf(persona, '99890500012');
    const happenings = course.between(monthDay(2021, 1, 1), monthDay(2030, 12, 31));
    const fixed = persona.events.filter(
      (event) => 'amount' in event && !('upTo' in event) && event.kind === 'transfer',
    );
    const rising = new Set(persona.rises?.slice(0, 1).flatMap(({ categories }) => categories));
    for (const { event, category = 'other' } of fixed) {
      if (!rising.has(category) && event !== 'rent' && event !== 'common-charges') continue;
      const own = happenings.filter((one) => one.event === event).map(({ action }) => Number(amountOf(action)));
      const levels = [...new Set(own)].filter(
        (amount) => own.filter((one) => one === amount).length > 1 || own.length < 11,
      );
      const steps = levels.slice(1).map((amount, place) => amount / (levels[place] ?? 0));
      expect([event, steps.length >= 8 && steps.every((step) => step > 1.019 && step < 1.031)]).toEqual([event, true]);
    }
  },
);

test.each(someOf('numbers and days', personas, 2))(
  'the account numbers of $name pass mod-11, and its days are banking days or the Saturday of a month end',
  (persona) => {
    const numbers = JSON.stringify(persona).match(/"account":"\d+"/g) ?? [];
    expect(numbers.length).toBeGreaterThan(5);
    for (const number of numbers) expect(isBbanMod11(number.slice(11, -1))).toBe(true);
    for (const { action } of courseOf(persona, '99890500012').between(
      localDate('2026-01-01'),
      localDate('2027-12-31'),
    )) {
      if (!('bookingDate' in action)) continue;
      const { bookingDate: day } = action;
      const isMonthEnd = calendar.closure(day) === 'Saturday' && day.slice(0, 7) !== addDays(day, 1).slice(0, 7);
      expect([day, isBankingDay(day, calendar) || isMonthEnd]).toEqual([day, true]);
    }
  },
);

test('what happens on a day follows from persona, seed, account and day alone, in whatever order the days are asked for', () => {
  const day = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays(localDate('2024-01-01'), days));
  fc.assert(
    fc.property(fc.constantFrom(...personas), day, fc.nat(40), (persona, first, length) => {
      const last = addDays(first, length);
      const days = Array.from({ length: length + 1 }, (_, index) => addDays(first, index));
      const alone = days.flatMap((each) => courseOf(persona, '99890500101').between(each, each));
      const course = courseOf(persona, '99890500101');
      course.between(addDays(first, 3), addDays(first, 5));
      expect(course.between(first, last)).toEqual(alone);
      expect(alone.every(({ at }) => osloDate(at) >= first && osloDate(at) <= last)).toBe(true);
    }),
    { numRuns: 10, seed: 32 },
  );
});

/** Shares of the days from purchase to booking (facts.json: bien-sparebank, bookingLagAfterPurchase). */
const lags: Readonly<Record<CardKind, readonly number[]>> = {
  domestic: [21, 41, 12, 14, 1, 0],
  visa: [3, 28, 5, 9, 1, 0],
  foreign: [1, 35, 15, 3, 1, 2],
};

const family = livedAs(await listedPersona('family'), null);
const yearsOfFamilies = Array.from({ length: 10 }, (_, index) =>
  courseOf(family, `9989060000${index}`).between(localDate('2026-01-01'), localDate('2026-12-31')),
);

test.each(Object.entries(lags))(
  'the lags of %s purchases, pooled over a year of ten families, are within 10 points of those seen',
  (card, seen) => {
    const kinds = new Map(family.events.map((event) => [event.event, event.kind === 'card' ? event.card : null]));
    const counts = [0, 0, 0, 0, 0, 0];
    for (const year of yearsOfFamilies) {
      const begun = new Map<string, string>();
      for (const { event, key, at, action } of year) {
        if (kinds.get(event) !== card) continue;
        if (action.kind === 'reserve') begun.set(key, osloDate(at));
        const day = begun.get(key);
        if (action.kind !== 'book' || day === undefined) continue;
        const lag = daysBetween(localDate(day), action.bookingDate);
        if (lag < counts.length) counts[lag] = (counts[lag] ?? 0) + 1;
      }
    }
    const share = (all: readonly number[], lag: number): number =>
      (all[lag] ?? 0) / all.reduce((sum, one) => sum + one, 0);
    for (const lag of counts.keys()) {
      expect([lag, Math.abs(share(counts, lag) - share(seen, lag)) < 0.1]).toEqual([lag, true]);
    }
  },
);

test('a purchase before Easter is booked after it, and a foreign one on the Saturday that ends a month', () => {
  const [thursday, saturday] = [localDate('2026-04-02'), localDate('2026-02-27')];
  for (const chance of [0, 0.5, 0.99])
    expect(bookingDay(bookingDays('domestic', thursday, calendar), chance)).toBe('2026-04-07');
  expect(bookingDay(bookingDays('foreign', saturday, calendar), 0.5)).toBe('2026-02-28');
  expect(bookingDay(bookingDays('domestic', saturday, calendar), 0.999)).toBe('2026-03-03');
});

test('L6: a day after the lags of a card is none of its booking days', () => {
  const { days, weights } = bookingDays('domestic', localDate('2026-03-04'), calendar);
  expect(days).toEqual(['2026-03-04', '2026-03-05', '2026-03-06']);
  expect(Math.min(...weights)).toBeGreaterThan(0);
});

test.each([
  ['ends its month', '2026-02-27', '2026-02-28', true],
  ['is before the Sunday that ends it', '2026-05-29', '2026-05-30', false],
])('L6: a Saturday that %s: a foreign purchase of %s is booked on %s: %s', (_what, friday, saturday, isBooked) => {
  expect(bookingDays('foreign', localDate(friday), calendar).days.includes(localDate(saturday))).toBe(isBooked);
});

test('L6: a foreign purchase on the Saturday that ends a month is booked on a later banking day', () => {
  const { days } = bookingDays('foreign', localDate('2026-02-28'), calendar);
  expect(days).toEqual(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']);
});

test('L6: the value date of a debit with a KID is its booking date, or, for two in five, the next banking day; a credit has it never later', () => {
  const when = { days: [15], rule: 'following' } as const;
  const lagsOf = (amount: string): number[] => {
    const due = { event: 'power', kind: 'transfer', when, amount, hasKid: true } as const;
    return [...'0123456789'].flatMap((digit) =>
      courseOf({ name: 'one', description: 'One event', netPerYear: '0.00', events: [due] }, `9989050001${digit}`)
        .between(localDate('2026-01-01'), localDate('2030-12-31'))
        .flatMap(({ action }) => {
          if (!('valueDate' in action && 'bookingDate' in action)) return [];
          expect(isBankingDay(action.valueDate, calendar)).toBe(true);
          return [daysBetween(action.bookingDate, action.valueDate)];
        }),
    );
  };
  const lags = lagsOf('-900.00');
  // Three days: over a weekend.
  expect(new Set(lags)).toEqual(new Set([0, 1, 3]));
  expect(lags.filter((lag) => lag > 0).length / lags.length).toBeCloseTo(0.4, 1);
  expect(new Set(lagsOf('900.00'))).toEqual(new Set([0]));
});

test.each([defaultSettlementTimes, { private: ['00:10'], corporate: ['00:10'] }])(
  'L2, S6: with runs %j what is booked on a day has happened by its last run, and a purchase is reserved before',
  (times) => {
    const schedule = runSchedule(times, calendar);
    const [hours = 0, minutes = 0] = (times.private.at(-1) ?? '').split(':').map(Number);
    for (const persona of oneOf(`booked by ${times.private.join()}`, personas)) {
      const course = new Course(lifeOf(persona, '99890500012'), new Almanac(persona, calendar), schedule);
      const reserved = new Set<string>();
      for (const { key, at, action } of course.between(localDate('2026-01-01'), localDate('2026-12-31'))) {
        if (action.kind === 'reserve') reserved.add(key);
        if (action.kind !== 'book' && action.kind !== 'post') continue;
        // A Saturday that ends a month has no run: what is booked on it happens at its midnight.
        const lastRun = isBankingDay(action.bookingDate, calendar) ? (hours * 60 + minutes) * 60_000 : 0;
        expect([key, at <= fromLocal(action.bookingDate, lastRun)]).toEqual([key, true]);
        if (action.kind === 'book' && action.bookingDate > '2026-01-10') expect(reserved).toContain(key);
      }
    }
  },
);

test('L6: a transfer on a closed day is booked before the first run of the next banking day', () => {
  const event = { event: 'vipps', kind: 'transfer', when: { perMonth: 30 }, amount: '100.00' } as const;
  const hours = yearWith(event).flatMap(({ at, action }) =>
    action.kind === 'post' && action.valueDate < action.bookingDate ? [formatInstant(at).slice(11, 16)] : [],
  );
  expect(hours.length).toBeGreaterThan(100);
  expect(new Set(hours)).toEqual(new Set(['04:00']));
});

test.each([
  [31, 'following', undefined, '2026-06-01'],
  [1, 'preceeding', undefined, '2026-10-30'],
  [31, 'month end', undefined, '2026-10-31'],
  [31, 'month end', undefined, '2026-05-29'],
  [15, 'following', [12], '2026-12-15'],
] as const)('L2: day %i, %s, of the months %j happens on %s', (day, rule, months, date) => {
  const when = { days: [day], rule, ...(months !== undefined && { months }) };
  const days = yearWith({ event: 'x', kind: 'transfer', when, amount: '1.00' }).map(({ at }) => osloDate(at));
  expect(days).toContain(date);
  expect(days).toHaveLength(months?.length ?? 12);
});

test('L1: the events of a day are in the order of the persona, whatever month they are moved from', () => {
  const events = [1, 31].map((day) => ({ event: 'x', kind: 'transfer', when: { days: [day], rule: 'following' } }));
  const almanac = new Almanac({ events } as unknown as Persona, calendar);
  expect(almanac.on(localDate('2026-06-01')).map(({ index }) => index)).toEqual([0, 1]);
});

test.each(['2043', '2054', '2065'])('L9: cafés are closed on Whit Sunday, also in %s, when it is 17 May', (year) => {
  const almanac = new Almanac({ events: [] } as unknown as Persona, calendar);
  const [saturday, sunday] = [localDate(`${year}-05-16`), localDate(`${year}-05-17`)];
  for (const closedOn of ['high holidays', 'high holidays and Christmas Eve'] as const) {
    expect(almanac.daysOn(saturday, closedOn)).toHaveLength(2);
    expect(almanac.daysOn(sunday, closedOn)).toEqual([]);
  }
});

test.each([1, 30])(
  'L2: a reservation that lapses after %i days is released at the midnight of that day',
  (lapsesAfterDays) => {
    const when = { days: [10], rule: 'following' } as const;
    const event = {
      event: 'x',
      kind: 'card',
      card: 'visa',
      when,
      amount: '-1.00',
      shops: ['X'],
      lapsesAfterDays,
    } as const;
    const begun = yearWith(event).filter(({ action }) => action.kind === 'reserve');
    expect(begun).toHaveLength(12);
    for (const { key, at } of begun) {
      const day = addDays(osloDate(at), lapsesAfterDays);
      const persona = { name: 'one', description: 'One event', netPerYear: '0.00', events: [event] };
      const found = courseOf(persona, '99890500012').between(day, day);
      expect(found).toContainEqual(
        expect.objectContaining({ key, at: fromLocal(day, 0), action: { kind: 'release' } }),
      );
    }
  },
);

test('L1: a rate is at most two per cent from that of the persona, and one for all of a day and a currency', () => {
  const foreign = { currency: 'EUR', rate: '10' };
  const event = { event: 'x', kind: 'transfer', when: { perMonth: 60 }, amount: '100.00', foreign } as const;
  const rates = yearWith(event).flatMap(({ at, action }) =>
    'details' in action ? [[osloDate(at), Number(action.details.currencyExchange?.[0]?.exchangeRate)] as const] : [],
  );
  const all = rates.map(([, rate]) => rate);
  expect([Math.min(...all) >= 9.8, Math.max(...all) <= 10.2]).toEqual([true, true]);
  expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(0.1);
  const steps = all.slice(1).map((rate, at) => Math.abs(rate - (all[at] ?? rate)));
  expect(Math.max(...steps)).toBeLessThan(0.08);
  expect(new Set(rates.map(String)).size).toBe(new Set(rates.map(([day]) => day)).size);
});

test('L1: amounts between whole kroner are whole kroner; others have øre', () => {
  const oreOf = (amount: string, upTo: string) =>
    yearWith({ event: 'x', kind: 'transfer', when: { perMonth: 30 }, amount, upTo }).map(
      ({ action }) => amountOf(action) % 100n,
    );
  expect(new Set(oreOf('10.00', '500.00'))).toEqual(new Set([0n]));
  expect(new Set(oreOf('10.00', '500.50')).size).toBeGreaterThan(50);
  expect(new Set(oreOf('10.50', '500.00')).size).toBeGreaterThan(50);
});

/** The amounts of an event in order of its times, in øre, of a year of each of some accounts. */
function amountsOf(members: object, accounts = 40): number[][] {
  const event = { event: 'x', kind: 'transfer', when: { perMonth: 16 }, ...members } as unknown as LifeEvent;
  const persona = { name: 'one', description: 'One event', netPerYear: '0.00', events: [event] };
  return Array.from({ length: accounts }, (_, account) =>
    courseOf(persona, `998905${String(account).padStart(5, '0')}`)
      .between(localDate('2026-01-01'), localDate('2026-12-31'))
      .filter(({ action }) => action.kind !== 'reserve')
      .toSorted((one, other) => numberOf(one) - numberOf(other))
      .map(({ action }) => Math.abs(Number(amountOf(action)))),
  );
}

/** The place of a monthly event among those of its life. */
function numberOf({ key }: Happening): number {
  const [, month = 0, number = 0] = key.split('.').map(Number);
  return month * 1_000 + number;
}

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

/** How alike each amount is to the one so many times later, from -1 to 1. */
function autocorrelation(series: readonly number[], lag: number): number {
  const mean = sumOf(series) / series.length;
  const moved = series.map((one) => one - mean);
  const alike = moved.slice(lag).map((one, index) => one * (moved[index] ?? 0));
  return sumOf(alike) / sumOf(moved.map((one) => one * one));
}

test.each([3, 16, 30])('L9: the amounts of an event %i times a month are in no order: no saw, no wave', (perMonth) => {
  const years = amountsOf({ when: { perMonth }, amount: '-40.00', upTo: '-900.00' });
  for (let lag = 1; lag <= 24; lag += 1) {
    const mean = sumOf(years.map((year) => autocorrelation(year, lag))) / years.length;
    expect([lag, Math.abs(mean) < 4 / Math.sqrt(12 * perMonth * years.length) || mean]).toEqual([lag, true]);
  }
  const rises = years.map(
    (year) => sumOf(year.map((one, at) => (one > (year[at - 1] ?? Infinity) ? 1 : 0))) / year.length,
  );
  expect(sumOf(rises) / rises.length).toBeGreaterThan(0.44);
  // A saw has few lengths of step.
  const steps = new Set(years[0]?.map((one, at, year) => Math.abs(one - (year[at - 1] ?? 0))));
  expect(steps.size).toBeGreaterThan(12 * perMonth * 0.6);
});

test('L9: of amounts from 40 to 900 most are small and few are large, and a year costs about the same; some purchases cost the same, and no transfers', () => {
  const range = { amount: '-40.00', upTo: '-900.00' };
  const years = amountsOf(range);
  const all = years.flat();
  const shareOf = (from: number, to: number) => all.filter((one) => one >= from && one < to).length / all.length;
  expect(shareOf(0, 32_000)).toBeGreaterThan(0.55);
  expect(shareOf(70_000, 90_001)).toBeLessThan(0.08);
  const sums = years.map(sumOf);
  expect(Math.max(...sums) / Math.min(...sums)).toBeLessThan(1.02);
  const bought = amountsOf({ ...range, kind: 'card', card: 'visa', shops: ['X'] });
  expect([Math.min(...bought.flat()), Math.max(...bought.flat())]).toEqual([4_000, 90_000]);
  const twiceIn = (some: readonly number[][]) =>
    sumOf(some.map((year) => year.length - new Set(year).size)) / some.length;
  expect(twiceIn(bought)).toBeGreaterThan(8);
  expect(twiceIn(bought)).toBeGreaterThan(twiceIn(years) + 4);
});

test('L9: amounts whose bounds end in ,90 are baskets: of one thing at ,90 or of some, and now and then of any øre', () => {
  const all = amountsOf({ kind: 'card', card: 'domestic', shops: ['X'], amount: '-39.90', upTo: '-899.90' }).flat();
  expect(Math.min(...all)).toBeGreaterThanOrEqual(3_990);
  expect(Math.max(...all)).toBeLessThanOrEqual(89_990);
  const share = (some: readonly number[], ore: number) => some.filter((one) => one % 100 === ore).length / some.length;
  const cheap = all.filter((one) => one < 6_000);
  expect(share(cheap, 90)).toBeGreaterThan(0.3);
  expect(share(cheap, 90) + share(cheap, 80)).toBeGreaterThan(0.6);
  const uneven = all.filter((one) => one % 10 !== 0).length / all.length;
  expect(uneven > 0.09 && uneven < 0.17).toBe(true);
});

test.each([
  ['-199.00', '-1299.00', '50.00', (ore: number) => ore % 5_000 === 4_900],
  ['-200.00', '-1500.00', '100.00', (ore: number) => ore % 10_000 === 0],
  ['-42.00', '-42.00', '10.00', (ore: number) => ore === 4_200],
] as const)('L9: from %s to %s in steps of %s, amounts go from the smaller end', (amount, upTo, roundTo, fits) => {
  const all = amountsOf({ amount, upTo, roundTo }, 4).flat();
  expect(all.filter((ore) => !fits(ore) || ore < -100 * Number(amount) || ore > -100 * Number(upTo))).toEqual([]);
});

test('L9c: an account deals with as many parties as its circle has, the same in each event, and other accounts with others', () => {
  const parties = Array.from({ length: 14 }, (_, index) => ({ name: `Friend ${index}` }));
  const friendsOf = (account: string, circle: number): string[] => {
    const event = { event: 'x', kind: 'transfer', when: { perMonth: 30 }, amount: '-50.00', parties, circle } as const;
    const persona = { name: 'one', description: 'x', netPerYear: '0.00', events: [event, { ...event, event: 'y' }] };
    const found = courseOf(persona, account).between(localDate('2026-01-01'), localDate('2026-12-31'));
    const names = Map.groupBy(found, ({ event: name }) => name);
    const [one, other] = [...names.values()].map((all) =>
      [...new Set(all.map(({ action }) => ('details' in action ? action.details.creditorName : '')))].toSorted(),
    );
    expect(one).toEqual(other);
    return (one ?? []) as string[];
  };
  expect(friendsOf('99890500101', 5)).toHaveLength(5);
  expect(friendsOf('99890500101', 1)).toHaveLength(1);
  const circles = Array.from({ length: 20 }, (_, account) => friendsOf(`998905${account + 10_000}`, 5).join());
  expect(new Set(circles).size).toBeGreaterThan(17);
});

test('L9: what has a season happens in its months alone', () => {
  const event = { event: 'x', kind: 'transfer', when: { perMonth: 2, months: [6, 7] }, amount: '-50.00' } as const;
  const months = yearWith(event).flatMap(({ action }) => ('valueDate' in action ? [action.valueDate.slice(5, 7)] : []));
  expect(months).toEqual(['06', '06', '07', '07']);
});

test('L9c: no message of a listed persona names a weekday, and none is in English', () => {
  const texts = personas.flatMap(({ events }) =>
    events.flatMap((event) => [
      ...('texts' in event ? (event.texts ?? []) : []),
      ...('text' in event ? [event.text ?? ''] : []),
    ]),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(
    texts.filter((text) => /(?:man|tirs|ons|tors|fre|lør|søn)dag|\b(?:the|and|of|fee|rent|loan|salary)\b/i.test(text)),
  ).toEqual([]);
});

test('L1: an amount follows its weekday and its month', () => {
  const byMonth = [10, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 300];
  const byWeekday = [100, 100, 100, 100, 100, 150, 100];
  const event = {
    event: 'x',
    kind: 'transfer',
    when: { everyOpenDay: true },
    amount: '80.00',
    byMonth,
    byWeekday,
  } as const;
  const text = '{day}';
  const amounts = new Map(
    yearWith({ ...event, text }).map(({ action }) => [
      'details' in action ? action.details.remittanceInformationUnstructured : '',
      amountOf(action),
    ]),
  );
  expect(['10.06', '13.06', '12.12', '12.01', '17.01'].map((day) => amounts.get(day))).toEqual([
    8_000n,
    12_000n,
    36_000n,
    800n,
    1_200n,
  ]);
});

test('L6: the sales of an open day come on the next banking day, with its value date and the day in the text; a closed day has none', () => {
  const event = {
    event: 'x',
    kind: 'transfer',
    when: { everyOpenDay: true },
    amount: '1.00',
    text: 'Oppgjør {day}',
  } as const;
  const settled = yearWith(event).flatMap(({ action }) =>
    'details' in action && 'bookingDate' in action
      ? [[action.bookingDate, action.valueDate, action.details.remittanceInformationUnstructured]]
      : [],
  );
  const on = (date: string) => settled.flatMap(([day, value, text]) => (day === date ? [[value, text]] : []));
  expect(on('2026-06-09')).toEqual([['2026-06-09', 'Oppgjør 08.06']]);
  expect(on('2026-06-08')).toEqual([
    ['2026-06-08', 'Oppgjør 05.06'],
    ['2026-06-08', 'Oppgjør 06.06'],
  ]);
  // Easter: closed from Thursday to Monday, but for the Saturday.
  expect(on('2026-04-07').map(([, text]) => text)).toEqual(['Oppgjør 01.04', 'Oppgjør 04.04']);
  // 365 days without 52 Sundays, nine holidays on other days, and Christmas Eve.
  expect(settled).toHaveLength(303);
});

test('L6b: the invoices of a payee have one rising series, and those of the account holder another one; a KID has customer and invoice', () => {
  const [seller, buyer, other] = ['99890412358', '99890412374', '99890412342'].map((account) => [
    { name: 'X', account },
  ]);
  const invoice = { kind: 'transfer', text: 'Faktura {number}', hasKid: true } as const;
  const events = [
    { ...invoice, event: 'a', when: { days: [5], rule: 'following' }, amount: '-1.00', parties: seller ?? [] },
    { ...invoice, event: 'b', when: { days: [19], rule: 'following' }, amount: '-1.00', parties: seller ?? [] },
    { ...invoice, event: 'c', when: { days: [6], rule: 'following' }, amount: '1.00', parties: buyer ?? [] },
    { ...invoice, event: 'd', when: { days: [20], rule: 'following' }, amount: '1.00', parties: other ?? [] },
    { ...invoice, event: 'e', when: { days: [5], rule: 'following' }, amount: '-1.00', parties: seller ?? [] },
  ] as const;
  const persona = { name: 'one', description: 'Invoices', netPerYear: '0.00', events };
  const invoices = courseOf(persona, '99890500012')
    .between(localDate('2026-01-01'), localDate('2026-12-31'))
    .map(({ event, action }) => {
      const { remittanceInformationUnstructured: text = '', remittanceInformationStructuredArray: kids = [] } =
        'details' in action ? action.details : {};
      return { event, number: Number(text.replace('Faktura ', '')), kid: kids[0]?.reference ?? '' };
    });
  for (const series of ['ab', 'cd']) {
    const numbers = invoices.flatMap(({ event, number }) => (series.includes(event) ? [number] : []));
    expect(numbers).toHaveLength(24);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, two) => one - two));
  }
  expect(new Set(invoices.flatMap(({ event, number }) => ('abe'.includes(event) ? [number] : []))).size).toBe(36);
  for (const { number, kid } of invoices) expect(kid.slice(0, -1)).toMatch(new RegExp(`^[1-9]\\d{3,9}0*${number}$`));
  // The steps from one month to the next differ by more than the months do, which alone come to 1.6.
  const uneven = [...'abcd'].map((event) => {
    const numbers = invoices.flatMap((one) => (one.event === event ? [one.number] : []));
    const steps = numbers.slice(1).map((number, place) => number - (numbers[place] ?? 0));
    return Math.max(...steps) / Math.min(...steps);
  });
  expect(Math.max(...uneven)).toBeGreaterThan(1.9);
  const ofSeries = (series: string): string[] =>
    invoices.flatMap(({ event, kid }) => (series.includes(event) ? [kid] : []));
  for (const series of ['ab', 'cd']) expect(new Set(ofSeries(series).map(({ length }) => length)).size).toBe(1);
  const customers = Map.groupBy(invoices, ({ event }) => event);
  const ofEvent = [...'abcd'].map((event) => new Set(customers.get(event)?.map(({ kid }) => kid.slice(0, 4))));
  expect(ofEvent.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
  expect(ofEvent[0]).toEqual(ofEvent[1]);
  expect(ofEvent[2]).not.toEqual(ofEvent[3]);
});

test('L9c: a message comes again in its year only after all the others', () => {
  const texts = ['sofa', 'lamp', 'skis', 'bike', 'chair'];
  const event = { event: 'x', kind: 'transfer', amount: '100.00', texts } as const;
  const textsOf = (when: { readonly perYear: number } | { readonly perMonth: number }): string[] => {
    const persona = { name: 'one', description: 'Sold', netPerYear: '0.00', events: [{ ...event, when }] };
    return courseOf(persona, '99890500012')
      .between(localDate('2026-01-01'), localDate('2027-01-05'))
      .flatMap(({ key, action }) =>
        'details' in action &&
        [2026, 24_312].some((first) => Math.floor(Number(key.split('.')[1]) / (first / 2026)) === 2026)
          ? [action.details.remittanceInformationUnstructured ?? '']
          : [],
      );
  };
  expect(textsOf({ perYear: 5 }).toSorted()).toEqual(texts.toSorted());
  const often = Map.groupBy(textsOf({ perMonth: 5 }), (text) => text);
  expect([...often.values()].map(({ length }) => length)).toEqual([12, 12, 12, 12, 12]);
});

test('L9e: a fee is in proportion to its sales to the øre, half an øre rounded up', () => {
  const when = { everyOpenDay: true } as const;
  const sales = { event: 'sales', kind: 'transfer', when, amount: '100.00', upTo: '900.00', roundTo: '0.50' } as const;
  const fee = { event: 'fee', kind: 'transfer', when, amount: '-1.00', drawnWith: 'sales' } as const;
  const persona = { name: 'one', description: 'Sales', netPerYear: '0.00', events: [sales, fee] };
  const happenings = courseOf(persona, '99890500012').between(localDate('2026-01-01'), localDate('2026-12-31'));
  const amounts = Map.groupBy(happenings, ({ key }) => key.split('.').slice(1).join('.'));
  for (const [sold, cost] of amounts.values()) {
    if (sold === undefined || cost === undefined) throw new Error('a fee has its sales');
    expect(Number(amountOf(sold.action)) % 50).toBe(0);
    expect(-Number(amountOf(cost.action))).toBe(Math.floor(Number(amountOf(sold.action)) / 100 + 0.5));
  }
  // No two of these days sold the same.
  expect(new Set(happenings.map(({ action }) => amountOf(action))).size / happenings.length).toBeGreaterThan(0.75);
});

test.each(personas)('L9c: what friends of $name pay each other says Vipps and has a message', ({ events }) => {
  for (const event of events)
    if (event.kind === 'transfer' && event.event.startsWith('vipps-') && event.category === 'person')
      for (const text of event.texts ?? [event.text]) expect(text).toMatch(/^Vipps: \S/);
});

test('L9c: the digits of a card are those of its account', () => {
  const [persona] = personas;
  const digits = ['99890500012', '99890500101', '99890500209', '99890500217'].flatMap((account) =>
    courseOf(persona as Persona, account)
      .between(localDate('2026-01-01'), localDate('2026-12-31'))
      .flatMap(({ action }) => {
        const text = 'details' in action ? (action.details.remittanceInformationUnstructured ?? '') : '';
        return /^\*(\d{4}) /.exec(text)?.[1] ?? [];
      }),
  );
  expect(new Set(digits).size).toBe(4);
});

test.each([
  [723_456n, 600_000n, 100_000n],
  [699_999n, 600_000n, 0n],
  [163_000n, 50_000n, 110_000n],
  [263_000n, 0n, 200_000n],
  [263_000n, null, 0n],
  [363_000n, 263_000n, 100_000n],
  [362_999n, 263_000n, 0n],
  [263_000n, 100_000n, 100_000n],
  [1_263_000n, 100_000n, 500_000n],
  [663_000n, 100_000n, 500_000n],
] as const)('L9f: of %s øre, with %s kept, %s goes away, and at most 5000 kroner', (available, keeps, gone) => {
  expect(leftOver(available, { keeps, most: 500_000n })).toBe(gone);
  expect(leftOver(10n * available, { keeps, most: null })).toBeGreaterThanOrEqual(gone);
});

test.each([
  ['the day that a closed day was moved to', 15, 'following', '2026-11-16', '2026-12-15'],
  ['the day before it', 15, 'following', '2026-11-15', '2026-11-15'],
  ['a day of the month before', 1, 'preceeding', '2026-10-30', '2026-12-01'],
  ['the day before that one', 1, 'preceeding', '2026-10-29', '2026-11-01'],
  ['the Sunday before the day to which one of the month before was moved', 31, 'following', '2026-02-01', '2026-01-31'],
] as const)('L3: an order that is paid through %s', (_, day, rule, paidThrough, startDate) => {
  const party = { name: 'Utleie', account: '99890412358' };
  const order = {
    event: 'rent',
    kind: 'standing order',
    when: { days: [day], rule },
    amount: '10.00',
    text: 'x',
    party,
  } as const;
  const life = { seed: 'sandbank', account: '99890500012' };
  expect(beginningOfOrder(order, life, localDate(paidThrough), calendar)).toEqual({ startDate, day });
});

test.each([
  ['credit', '2.00', 0n, [], 0n],
  ['credit', '3.65', 100_000n, [], 310n],
  // Ten days at 1,000, then twenty-one at 2,000.
  ['credit', '3.65', 200_000n, [['2027-01-11', 100_000n]], 520n],
  ['debit', '3.65', 200_000n, [['2027-01-11', 300_000n]], 100n],
  // What comes after the period does not count.
  ['credit', '3.65', 150_000n, [['2027-02-01', 50_000n]], 310n],
] as const)('L9f: interest of a month, %s at %s per cent on %s', (side, rate, balance, moves, due) => {
  const period = { from: localDate('2027-01-01'), to: localDate('2027-01-31') };
  const course = { balance, moves: moves.map(([day, moved]) => ({ day: epochDay(localDate(day)), moved })) };
  expect(interestOf(course, period, { rate, side })).toBe(due);
});

test('L9f: interest over a turn of the year counts the days of the year in which it ends', () => {
  const period = { from: localDate('2027-12-01'), to: localDate('2028-01-31') };
  expect(interestOf({ balance: 100_000n, moves: [] }, period, { rate: '3.66', side: 'credit' })).toBe(620n);
});
