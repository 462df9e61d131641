import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank, CreateBankOptions } from '../../api/harness/index.ts';
import { configOfBundle, readBundle } from '../../api/hosting/bundle/bundle.ts';
import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { loadProfile } from '../../api/start/profile.ts';
import { pricesAt } from '../../engine/payments/rules/foreign-transfer.ts';
import { fixingFrom, fixingUntil } from '../../engine/time/rules/cut-offs.ts';
import type { LaneProduct } from '../../engine/time/rules/lanes.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { formatRate } from '../../engine/values/price-list.ts';
import { products, productWords } from '../../engine/values/product.ts';
import { at, calendar } from '../lab/bank.ts';
import { accounts, crossBorderPayment, initiate, sepaPayment } from '../lab/products.ts';
import { BankClient } from '../lab/server.ts';
import { instantOf } from '../lab/simulation/days.ts';
import { someOf } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

interface PublishedBank {
  readonly bank: string;
  /** Has what the bank published. */
  readonly profile: string;
  readonly source: string;
  readonly payments: readonly Published[];
}

interface Published {
  readonly said: string;
  readonly customer?: 'private';
  readonly product?: 'sepa' | 'cross-border';
  /** To another customer of the bank, with a structured reference. */
  readonly inside?: 'kid';
  readonly currency?: string;
  readonly approved: string;
  readonly tried: string;
  /** When it is paid by the page, where that is not the time of a run; `why` tells of the difference. */
  readonly paidBy?: string;
  readonly why?: string;
  readonly value?: string;
  readonly fixing?: string;
}

const banks = JSON.parse(readFileSync(new URL('../data/bank-days.json', import.meta.url), 'utf8')) as PublishedBank[];
const [company, nora, abroad, here] = ['34110000016', '09232911044', 'DE89370400440532013000', '90491105991'];
const inOslo = (time: string) => formatInstant(instantOf(time) as Instant);

async function paid(bank: Bank, { customer, product, inside, currency = 'EUR' }: Partial<Published>): Promise<string> {
  const from = customer === 'private' ? nora : company;
  if (inside !== undefined)
    return bank.tpp().pay({ from, to: '34400000028', amount: '25.00', kid: '2345676', allowDuplicate: true });
  if (product === undefined) return bank.tpp().pay({ from, to: here, amount: '25.00', allowDuplicate: true });
  const amount = currency === 'JPY' ? '500' : '25.00';
  return bank
    .tpp()
    .pay({ from, to: abroad, amount, currency, product: `${product}-credit-transfers`, allowDuplicate: true });
}

test.each(someOf('published days', banks, 4))(
  'Q12, T4b, T4d to T4f: the days of $bank are as published',
  async ({ profile, source, payments }) => {
    expect((await loadProfile(profile)).facts.map((fact) => fact.source)).toContain(source);
    const rows = payments.toSorted((one, other) => (one.approved < other.approved ? -1 : 1));
    await using bank = await createBank({ now: inOslo(rows[0]?.approved ?? ''), profile });
    for (const row of rows) {
      await bank.clock.advance(inOslo(row.approved));
      const id = await paid(bank, row);
      const { tppMessages = [] } = await bank.tpp().status(id);
      const { executions } = await bank.forecast('P10D');
      const own = executions.find(({ paymentId }) => paymentId === id);
      const { nextAttempt } = await bank.payments(id);
      expect([row.said, own?.run.at, nextAttempt?.at]).toEqual([row.said, inOslo(row.tried), inOslo(row.tried)]);
      const texts = tppMessages.map(({ text }) => text).join(' ');
      const isTold = row.fixing !== undefined || row.tried.slice(0, 10) !== row.approved.slice(0, 10);
      expect([row.said, texts.includes(`on ${row.tried.slice(0, 10)}`)]).toEqual([row.said, isTold]);
      if (row.fixing !== undefined) expect(texts).toContain(`on ${row.fixing.replace(' ', ' at ')}`);
    }
    await bank.clock.advance({ by: 'P10D' });
    const { payments: made } = await (
      await bank.fetch('/sandbox/payments')
    ).json<{ payments: { paymentId: string }[] }>();
    for (const [index, { said, tried, value, paidBy = tried, why = null }] of rows.entries()) {
      expect([said, paidBy >= tried, paidBy.slice(0, 10), paidBy === tried]).toEqual([
        said,
        true,
        tried.slice(0, 10),
        why === null,
      ]);
      const { attempts, entries } = await bank.payments(made.toReversed()[index]?.paymentId ?? '');
      expect([said, ...attempts.map(({ at: when, outcome }) => `${when} ${outcome}`)]).toEqual([
        said,
        `${inOslo(tried)} settle`,
      ]);
      if (value !== undefined) expect(new Set(entries.map(({ valueDate }) => valueDate))).toEqual(new Set([value]));
    }
  },
);

describe('T4d, T4e: the cut-off of a day', () => {
  const cutOffs = {
    domestic: '15:00',
    'sepa:EUR': '14:30',
    'foreign:EUR': '16:00',
    foreign: '16:15',
    'cross-border:PLN': '14:00+1',
  };
  const earlyClose = {
    'before-holiday': '12:00',
    'before-holiday:foreign': '09:00',
    'year-end:sepa': '11:00',
    '05-14': '10:00',
    '2027-06-01': '23:00',
  };
  const schedule = runSchedule(defaultSettlementTimes, calendar, { cutOffs, earlyClose, fxFixings: [] });

  test.each<[string, keyof typeof products, 'NOK' | 'EUR' | 'USD' | 'PLN', string | null]>([
    ['2027-02-02', 'domestic', 'NOK', '15:00'],
    ['2027-02-02', 'straks', 'NOK', null],
    ['2027-02-02', 'sepa', 'EUR', '14:30'],
    ['2027-02-02', 'crossBorder', 'EUR', '16:00'],
    ['2027-02-02', 'crossBorder', 'USD', '16:15'],
    ['2027-02-02', 'crossBorder', 'PLN', '14:00'],
    // The day before Maundy Thursday, an ordinary Friday, the day before Constitution Day.
    ['2027-03-24', 'domestic', 'NOK', '12:00'],
    ['2027-03-24', 'crossBorder', 'USD', '09:00'],
    ['2027-02-05', 'domestic', 'NOK', '15:00'],
    // The last banking day of 2028 is a Friday, and the holiday comes after the weekend.
    ['2028-12-29', 'sepa', 'EUR', '11:00'],
    ['2028-12-29', 'crossBorder', 'USD', '16:15'],
    ['2027-05-14', 'domestic', 'NOK', '10:00'],
    ['2028-05-15', 'domestic', 'NOK', '15:00'],
    // A day closes earlier than usual, never later.
    ['2027-06-01', 'domestic', 'NOK', '15:00'],
  ])('%s, %s in %s: %s', (date, product, currency, expected) => {
    const lane = { customer: 'private', product: productWords[products[product]], currency } as const;
    expect(schedule.of(lane).cutOffOn(localDate(date))).toBe(expected);
  });
});

describe('T4g: cut-offs by customer, and inside the bank', () => {
  const cutOffs = {
    foreign: '16:00',
    'foreign:USD': '15:30',
    'cross-border:USD': '15:45',
    'private:foreign': '13:00',
    'corporate:cross-border:PLN': '11:00',
    domestic: '14:00',
    inside: '23:30',
    'inside-kid': '14:30',
    'corporate:domestic': '15:00',
  };
  const earlyClose = {
    '12-23:private': '12:00',
    '12-23:corporate:foreign': '09:00',
    '12-30:inside': '18:00',
    'year-end:domestic': '10:00',
  };
  const schedule = runSchedule(defaultSettlementTimes, calendar, { cutOffs, earlyClose, fxFixings: [] });

  test.each<[string, 'private' | 'corporate', LaneProduct, 'NOK' | 'EUR' | 'USD' | 'PLN', string]>([
    // A customer is narrower than a currency, and a currency than a product.
    ['2027-02-02', 'private', 'cross-border', 'USD', '13:00'],
    ['2027-02-02', 'corporate', 'cross-border', 'USD', '15:45'],
    ['2027-02-02', 'corporate', 'cross-border', 'PLN', '11:00'],
    ['2027-02-02', 'corporate', 'sepa', 'EUR', '16:00'],
    ['2027-02-02', 'private', 'domestic', 'NOK', '14:00'],
    ['2027-02-02', 'private', 'inside', 'NOK', '23:30'],
    ['2027-02-02', 'private', 'inside-kid', 'NOK', '14:30'],
    ['2027-02-02', 'corporate', 'inside', 'NOK', '15:00'],
    ['2027-12-23', 'private', 'domestic', 'NOK', '12:00'],
    ['2027-12-23', 'private', 'inside', 'NOK', '12:00'],
    ['2027-12-23', 'corporate', 'domestic', 'NOK', '15:00'],
    ['2027-12-23', 'corporate', 'sepa', 'EUR', '09:00'],
    ['2027-12-30', 'private', 'inside', 'NOK', '18:00'],
    ['2027-12-30', 'private', 'domestic', 'NOK', '14:00'],
    ['2027-12-31', 'private', 'inside', 'NOK', '10:00'],
  ])('%s, %s, %s in %s: %s', (date, customer, product, currency, expected) => {
    expect(schedule.of({ customer, product, currency }).cutOffOn(localDate(date))).toBe(expected);
  });
});

describe('T4h: a cut-off after the last run', () => {
  const settings: CreateBankOptions = {
    now: inOslo('2027-02-02 14:30'),
    settlementTimes: { private: ['10:00', '14:00'], corporate: ['10:00', '15:00'] },
    cutOffs: {
      'private:foreign': '15:00',
      'cross-border:USD': '16:15',
      'corporate:sepa': '12:00',
      domestic: '13:00',
      inside: '23:30',
      'inside-kid': '13:00',
    },
  };
  const [kari, anna] = ['34400000028', '74712699947'];

  test('it opens a run of its product alone, numbered, in the calendar, and on no day that closes before', async () => {
    const early = { '02-03': '12:00', '02-04:inside': '20:00', '02-05:cross-border': '12:00', '02-05:inside': '16:15' };
    await using bank = await createBank({ ...settings, earlyClose: early });
    const shown = await bank.fetch('/sandbox/calendar?from=2027-02-02&to=2027-02-05');
    const { days } = await shown.json<{
      days: { runs: { id: string; at: string; only?: string; cutOffs?: string[] }[] }[];
    }>();
    const lines = days.map(({ runs }) =>
      runs.map(({ id, at: when, only = 'all', cutOffs = [] }) =>
        [id.slice(10), when.slice(11, 16), only, ...cutOffs].join(' '),
      ),
    );
    const usual = ['/1 10:00 all', '/2 14:00 private', '/3 15:00 corporate'];
    const late = ['/3 15:00 corporate private:foreign', '/4 16:15 all cross-border:USD'];
    expect(lines).toEqual([
      [...usual.slice(0, 2), ...late, '/5 23:30 all inside'],
      usual,
      [...usual.slice(0, 2), ...late, '/5 20:00 all inside'],
      // The cut-off of dollars is 16:15 too, and does not hold on this day.
      [...usual.slice(0, 2), late[0], '/4 16:15 all inside'],
    ]);
  });

  test('it tries that product alone, as an attempt, and books nothing; what counts runs counts the others', async () => {
    await using bank = await createBank(settings);
    const pay = (from: string, to: string, more: object = {}) =>
      bank.tpp().pay({ from, to, amount: '25.00', allowDuplicate: true, ...more });
    const abroadIn = (currency: string) => ({ product: 'cross-border-credit-transfers', currency });
    const made = {
      inside: await pay(nora, anna),
      away: await pay(nora, here),
      kid: await pay(nora, kari, { kid: '2345676' }),
      dollars: await pay(nora, abroad, abroadIn('USD')),
      ofCompany: await pay(company, abroad, abroadIn('USD')),
      pounds: await pay(nora, abroad, abroadIn('GBP')),
      sepaOfCompany: await pay(company, abroad, { product: 'sepa-credit-transfers', currency: 'EUR' }),
      short: await pay(nora, anna, { amount: '900000.00' }),
    };
    const { executions } = await bank.forecast(inOslo('2027-02-03 10:00'));
    const foreseen = Object.entries(made).map(([name, id]) => {
      const own = executions.filter(({ paymentId }) => paymentId === id);
      return [name, ...own.map(({ run, outcome }) => `${run.date}/${run.number} ${outcome}`)].join(' ');
    });
    expect(foreseen).toEqual([
      'inside 2027-02-02/5 settle',
      'away 2027-02-03/1 settle',
      'kid 2027-02-03/1 settle',
      'dollars 2027-02-02/3 settle',
      'ofCompany 2027-02-02/3 settle',
      'pounds 2027-02-02/3 settle',
      'sepaOfCompany 2027-02-03/1 settle',
      'short 2027-02-02/5 retry 2027-02-03/1 retry',
    ]);
    expect((await bank.payments(made.inside)).nextAttempt?.id).toBe('2027-02-02/5');
    const clockNow = async () =>
      (await bank.fetch('/sandbox/clock')).json<{ lastRun: { id: string }; nextRun: { id: string } }>();
    const clock = await clockNow();
    expect([clock.lastRun.id, clock.nextRun.id]).toEqual(['2027-02-02/2', '2027-02-02/3']);
    await bank.clock.advance(inOslo('2027-02-02 15:30'));
    const later = await pay(company, abroad, abroadIn('USD'));
    expect((await bank.payments(later)).nextAttempt?.id).toBe('2027-02-02/4');
    await bank.clock.advance(inOslo('2027-02-02 23:45'));
    const { nextRun } = await clockNow();
    expect(nextRun.id).toBe('2027-02-03/1');
    const inspected = await bank.payments(made.inside);
    expect(inspected.entries.map(({ booked, bookingDate, valueDate }) => [booked, bookingDate, valueDate])).toEqual([
      [false, null, '2027-02-02'],
    ]);
    const { runs } = await (await bank.fetch('/sandbox/runs')).json<{ runs: { id: string; booked: number }[] }>();
    expect(runs.map(({ id, booked }) => `${id} ${booked}`)).toEqual([
      '2027-02-02/5 0',
      '2027-02-02/4 0',
      '2027-02-02/3 0',
    ]);
    const { runs: next } = await bank.clock.advance({ runs: 1 });
    expect(next.map(({ id, booked }) => [id, booked])).toEqual([['2027-02-03/1', 5]]);
    expect((await bank.payments(made.inside)).entries).toMatchObject([{ booked: true, bookingDate: '2027-02-03' }]);
    for (const [name, id] of Object.entries(made)) {
      const { attempts } = await bank.payments(id);
      const own = executions.filter(({ paymentId }) => paymentId === id);
      expect([name, ...attempts.map(({ outcome, at: when }) => `${when} ${outcome}`)]).toEqual([
        name,
        ...own.map(({ run, outcome }) => `${run.at} ${outcome}`),
      ]);
    }
    expect(await (await bank.fetch('/sandbox/ledger/proof')).json()).toMatchObject({ ok: true });
  });
});

test.each([
  ['at a fixing', '2027-02-02T10:00:00.000+01:00', '2027-02-02T10:00', '2027-02-02T10:00'],
  ['just before it', '2027-02-02T09:59:59.999+01:00', '2027-02-02T10:00', '2027-02-01T13:00'],
  ['just after it', '2027-02-02T10:00:00.001+01:00', '2027-02-02T13:00', '2027-02-02T10:00'],
  ['after the last one before a weekend', '2027-02-05T13:00:00.001+01:00', '2027-02-08T10:00', '2027-02-05T13:00'],
  ['on a Sunday', '2027-02-07T13:00:00.000+01:00', '2027-02-08T10:00', '2027-02-05T13:00'],
])('T4f: the next and the last fixing, %s', (_, time, next, last) => {
  const fixings = ['10:00', '13:00'];
  const found = [fixingFrom, fixingUntil].map((find) => formatInstant(find(at(time), fixings, calendar)));
  expect(found).toEqual([next, last].map((minute) => `${minute}:00.000+01:00`));
});

test.each([
  ['cut-offs', 'sepa:EUR=25:00', 'is not HH:MM'],
  ['cut-offs', 'sepa:EUR=14:00/sepa:EUR=15:00', 'cut-off sepa:EUR is given twice'],
  ['cut-offs', 'cross-border:XXQ=14:00', 'XXQ is no currency'],
  ['cut-offs', 'sepa:PLN=14:00', 'a SEPA payment is in EUR'],
  ['cut-offs', 'domestic=14:00+1', 'a domestic payment is in NOK'],
  [
    'cut-offs',
    'straks=14:00',
    '"straks" is not one of domestic, inside, inside-kid, sepa, cross-border, foreign, PRODUCT:CURRENCY',
  ],
  ['cut-offs', 'inside:NOK=14:00', 'a domestic payment is in NOK'],
  ['cut-offs', 'private=14:00', '"private" is not one of domestic'],
  ['cut-offs', 'private:foreign:EUR:USD=14:00', 'is not one of domestic'],
  ['cut-offs', 'company:foreign=14:00', '"company:foreign" is not one of domestic'],
  ['cut-offs', 'foreign=02:30', 'inside 02:00-03:00'],
  ['cut-offs', 'foreign=14:00+2', 'is not HH:MM'],
  ['cut-offs', 'foreign', '"foreign" is not NAME=HH:MM'],
  ['early-close', 'friday=12:00', 'names no day'],
  ['early-close', '02-30=12:00', 'names no day'],
  ['early-close', '12-31:euro=12:00', 'expected DAY, DAY:PRODUCT or DAY:CUSTOMER:PRODUCT'],
  ['early-close', '12-31:foreign:private=12:00', 'expected DAY, DAY:PRODUCT'],
  ['early-close', '12-31:all=12:00', 'expected DAY, DAY:PRODUCT'],
  ['early-close', '12-31=2:30', 'is not HH:MM'],
  ['early-close', '12-31=12:00/12-31=13:00', 'given twice'],
  ['fx-fixings', '13:00,10:00', 'fixing time 10:00 follows 13:00; sort them'],
  ['fx-fixings', '10:00,10:00', 'given twice'],
  ['fx-fixings', '02:15', 'inside 02:00-03:00'],
])('T4d to T4f: --%s %s is refused in one line: %s', (flag, text, problem) => {
  const read = () => readConfig({}, [`--${flag}=${text}`]);
  expect(read).toThrow(problem);
  expect(read).toThrow(/^--[a-z-]+ is "[^\n]*$/);
});

describe('T4f, P11c: fixed rates', () => {
  test('follow from currency and instant, are exact, near the list, and as long', async () => {
    const prices = await loadPriceList();
    const instants = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2045-01-01') });
    fc.assert(
      fc.property(instants, (ms) => {
        const [one, other] = [pricesAt(ms as Instant, prices), pricesAt(ms as Instant, prices)];
        expect(one).toEqual(other);
        for (const [currency, { digits, scale }] of prices.nokPerUnit) {
          const fixed = one.nokPerUnit.get(currency);
          expect(fixed?.scale).toBe(scale);
          const away = Number(fixed?.digits) / Number(digits) - 1;
          expect(Math.abs(away)).toBeLessThanOrEqual(0.0165 + 1 / Number(digits));
        }
        // The least rate that a list may have.
        const least = { digits: 1n, scale: 4 };
        const { nokPerUnit } = pricesAt(ms as Instant, { ...prices, nokPerUnit: new Map([['EUR', least]]) });
        expect(nokPerUnit.get('EUR')).toEqual(least);
      }),
    );
    const of = (time: string) => pricesAt(at(time), prices).nokPerUnit.get('EUR');
    const times = [
      '2027-02-02T10:00:00+01:00',
      '2027-02-02T13:00:00+01:00',
      '2027-02-02T15:30:00+01:00',
      '2027-03-02T10:00:00+01:00',
    ];
    const shown = times.map(of).map((rate) => (rate === undefined ? '' : formatRate(rate)));
    // Another course would change the amounts of a ledger that is opened again.
    expect(shown).toEqual(['11.874', '11.8487', '11.864', '11.9815']);
  });

  test('an unsigned order is told the next fixing and shown the last; signed, it is paid at its own, in forecast and fact', async () => {
    await using bank = await createBank({ now: '2027-02-02T09:00:00+01:00', fxFixings: ['10:00', '13:00', '15:30'] });
    const order = {
      from: nora,
      to: abroad,
      amount: '100.00',
      product: 'sepa-credit-transfers',
      currency: 'EUR',
    } as const;
    const unsigned = await bank.tpp().pay({ ...order, signedBy: [] });
    const [early] = (await bank.tpp().payment(unsigned)).tppMessages ?? [];
    expect(early).toMatchObject({
      category: 'WARNING',
      code: 'EXECUTION_DATE_INVALID',
      path: 'instructedAmount.currency',
    });
    expect(early?.text).toBe(
      'The exchange rate is fixed on 2027-02-02 at 10:00. The amounts that are shown until then are estimates at the last fixing.',
    );
    await bank.clock.advance('2027-02-02T10:00:01+01:00');
    const signed = await bank.tpp().pay({ ...order, amount: '101.00' });
    const later = await bank.tpp().pay({ ...order, amount: '102.00', on: '2027-02-04' });
    const texts = async (id: string) =>
      ((await bank.tpp().payment(id)).tppMessages ?? []).map(({ text }) => text.slice(0, 55));
    expect(await texts(signed)).toEqual(['The exchange rate is fixed on 2027-02-02 at 13:00. The ']);
    expect(await texts(later)).toEqual(['The exchange rate is fixed on 2027-02-04 at 10:00. The ']);
    const { executions } = await bank.forecast('P10D');
    // The run at 11:30 comes before the fixing.
    expect(executions.map(({ run }) => `${run.date}/${run.number}`)).toEqual(['2027-02-02/4', '2027-02-04/3']);
    await bank.clock.advance('2027-02-02T13:00:00+01:00');
    expect(await texts(signed)).toEqual(['The exchange rate was fixed on 2027-02-02 at 13:00.']);
    await bank.clock.advance('2027-02-05');
    const prices = await loadPriceList();
    for (const [index, [id, fixing]] of Object.entries([
      [signed, '2027-02-02T13:00:00+01:00'],
      [later, '2027-02-04T10:00:00+01:00'],
    ])) {
      const rate = pricesAt(at(fixing ?? ''), prices).nokPerUnit.get('EUR');
      const { attempts } = await bank.payments(id ?? '');
      const cents = (101n + BigInt(index)) * 100n;
      const exact = cents * (rate?.digits ?? 0n);
      const [whole, rest] = [exact / 10_000n, exact % 10_000n];
      const øre = whole + (rest > 5_000n || (rest === 5_000n && whole % 2n === 1n) ? 1n : 0n) + 500n;
      expect(attempts.map(({ needed }) => needed.amount)).toEqual([
        `${øre / 100n}.${String(øre % 100n).padStart(2, '0')}`,
      ]);
      expect(attempts[0]?.needed).toEqual(executions[Number(index)]?.needed);
    }
    expect(await (await bank.fetch('/sandbox/ledger/proof')).json<{ ok: boolean }>()).toMatchObject({ ok: true });
  });

  test('P14: a payment that is moved in another channel takes the fixing of its new day', async () => {
    await using bank = await createBank({ now: '2027-02-02T09:00:00+01:00', fxFixings: ['10:00'] });
    const id = await bank.tpp().pay({
      from: nora,
      to: abroad,
      amount: '100.00',
      product: 'sepa-credit-transfers',
      currency: 'EUR',
      on: '2027-02-04',
    });
    const before = (await bank.forecast('P30D')).executions[0];
    await bank.fetch(`/sandbox/payments/${encodeURIComponent(id)}`, {
      method: 'PATCH',
      body: { requestedExecutionDate: '2027-02-18' },
    });
    const [after] = (await bank.forecast('P30D')).executions;
    expect([before?.run.date, after?.run.date, after?.run.number]).toEqual(['2027-02-04', '2027-02-18', 3]);
    expect(after?.needed).not.toEqual(before?.needed);
    await bank.clock.advance('2027-02-19');
    expect((await bank.payments(id)).attempts).toMatchObject([{ outcome: 'settle', needed: after?.needed }]);
  });

  test('P14, S6b: moved to a day that is fixed after its last run, it has the day of one that was signed for it', async () => {
    const quirks = { 'value-date': 'run-day' } as const;
    await using bank = await createBank({ now: '2027-02-02T09:00:00+01:00', fxFixings: ['16:30'], quirks });
    const order = { from: nora, to: abroad, product: 'sepa-credit-transfers', currency: 'EUR' } as const;
    const signed = await bank.tpp().pay({ ...order, amount: '100.00', on: '2027-02-18' });
    const moved = await bank.tpp().pay({ ...order, amount: '101.00', on: '2027-02-04' });
    await bank.fetch(`/sandbox/payments/${encodeURIComponent(moved)}`, {
      method: 'PATCH',
      body: { requestedExecutionDate: '2027-02-18' },
    });
    const days = [];
    for (const id of [signed, moved]) {
      const { executionDate, nextAttempt } = await bank.payments(id);
      days.push([executionDate, nextAttempt?.id]);
    }
    expect(days[1]).toEqual(days[0]);
    expect(days[0]?.[0]).toBe('2027-02-19');
  });
});

test('T4b, T4d to T4f: a restart and a bundle keep lists, cut-offs and fixings, what they gave the payments, and what follows', async () => {
  const quiet = ['--port=0', '--log-level=silent'];
  const flags = [
    ...quiet,
    `--ledger=${join(folder, 'l.sqlite')}`,
    '--clock-mode=frozen',
    '--clock-now=2027-03-24T12:30:00+01:00',
    '--settlement-times=private=05:30,13:00,15:30/corporate=00:10,13:00,17:00',
    '--cut-offs=domestic=15:00/sepa:EUR=14:30/cross-border=11:00+1',
    '--early-close=before-holiday=12:00',
    '--fx-fixings=10:00,13:00',
    '--quirks=same-bank-at-once=without-kid',
  ];
  let server = await startServer(readConfig({}, flags));
  try {
    const first = new BankClient(server.address);
    const pay = async (product: keyof typeof products, body: object, isSigned = true): Promise<string> => {
      const { body: answer } = await initiate(first, product, body);
      if (isSigned) await first.approve(answer);
      return answer.paymentId;
    };
    const own = { debtorAccount: accounts.noraNok, creditorName: 'Even', creditorAccount: accounts.evenNok };
    const kroner = (amount: string) => ({ ...own, instructedAmount: { amount, currency: 'NOK' } });
    const ids = [
      await pay('domestic', { ...kroner('10.00'), creditorAccount: { bban: here, currency: 'NOK' } }),
      await pay('domestic', kroner('20.00')),
      await pay('sepa', sepaPayment()),
      await pay('sepa', sepaPayment({ instructedAmount: { amount: '70.00', currency: 'EUR' } }), false),
      await pay('crossBorder', crossBorderPayment()),
    ];
    const now = await told(first, ids);
    expect(now).toMatch(/"cutOffs":\{"domestic":"15:00","sepa:EUR":"14:30","cross-border":"11:00\+1"\}/);
    expect(now).toMatch(/The cut-off of 2027-03-24 was at 12:00/);
    await server.stop();

    server = await startServer(readConfig({}, flags));
    expect(await told(new BankClient(server.address), ids)).toBe(now);
    const bundle = Buffer.from(await (await fetch(`${server.address}/sandbox/bundle`)).arrayBuffer());
    const read = await readBundle(bundle);
    const opened = await startServer(configOfBundle(read, { flags: quiet }), undefined, { bundle: read });
    const both = [server, opened].map(({ address }) => new BankClient(address));
    try {
      expect(await told(both[1] as BankClient, ids)).toBe(now);
      const later = [];
      for (const bank of both) {
        await bank.advance({ by: 'P8D' });
        later.push(await told(bank, ids));
      }
      expect(later[1]).toBe(later[0]);
      expect(later[0]).toContain('"settle"');
    } finally {
      await opened.stop();
    }
  } finally {
    await server.stop();
  }
}, 30_000);

/** The id of a transaction, of an SCA or of an entry of the journal, and a time of the machine. */
const drawn = /enc!![\w-]+=*|\/(?:requests|sca)\/[\w-]+|"wall":"[^"]+"/g;

/** What a bank says of its settings, its days, an order and its payments; as text, without addresses and what each bank draws. */
async function told(bank: BankClient, ids: readonly string[]): Promise<string> {
  const { body: info } = await bank.control('GET', '/sandbox/info');
  const { settlementTimes, cutOffs, earlyClose, fxFixings, quirks } = info.configuration;
  const order = {
    ...{ debtorAccount: accounts.noraNok, creditorName: 'Rent', creditorAccount: { bban: here, currency: 'NOK' } },
    ...{ instructedAmount: { amount: '5.00', currency: 'NOK' }, frequency: 'Weekly', executionRule: 'preceeding' },
    ...{ startDate: '2027-04-24', endDate: '2027-06-20' },
  };
  const answers = [
    await bank.control('POST', '/sandbox/schedule', order),
    await bank.control('GET', '/sandbox/calendar?from=2027-03-22&to=2027-04-02'),
    await bank.control('GET', '/sandbox/forecast?to=2027-04-10'),
    await bank.control('GET', '/sandbox/ledger/hash'),
    ...(await Promise.all(ids.map((id) => bank.control('GET', `/sandbox/payments/${id}`)))),
    ...(await Promise.all(ids.map((id) => bank.signed('GET', `/v1/payment/${id}/status`)))),
  ];
  expect(answers.map(({ status }) => status).filter((status) => status >= 400 && status !== 403)).toEqual([]);
  const all = {
    settlementTimes,
    cutOffs,
    earlyClose,
    fxFixings,
    quirks,
    answers: answers.map(({ status, body }) => [status, body]),
  };
  return JSON.stringify(all).replaceAll(bank.address, '').replaceAll(drawn, 'DRAWN');
}
