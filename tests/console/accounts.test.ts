import { beforeAll, describe, expect, test } from '@jest/globals';
import { epochDay, localDate } from '../../engine/values/local-date.ts';
import { addTransactions, deleteTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { courseOf } from '../../api/console/accounts/balance-course.ts';
import { dateLabelsOf, reduced, scaleOf } from '../../api/console/accounts/scales.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '09232911044';
const company = '74712699947';
const money = (amount: string) => ({ amount, currency: 'NOK' }) as const;

describe('the course of a balance', () => {
  type Told = Parameters<typeof courseOf>[0];
  const entry = (bookingDate: string, amount: string, balance: string, valueDate = bookingDate) => ({
    bookingDate,
    valueDate,
    amount: money(amount),
    balance: money(balance),
    text: '',
    paymentId: null,
    transactionId: null,
  });
  const statement = (own: object) =>
    ({
      number: nora,
      iban: null,
      name: '',
      owner: { number: '1', name: '' },
      currency: 'NOK',
      booked: money('0.00'),
      available: money('0.00'),
      expected: money('0.00'),
      creditLine: money('0.00'),
      entries: [],
      pending: [],
      ...own,
    }) as Told['statement'];
  const unbooked = (amount: string, isPosted: boolean) => ({
    ...{ valueDate: '2027-03-24', amount: money(amount), text: '', paymentId: null, isPosted },
  });
  const told = ({ coming, ...own }: Partial<Omit<Told, 'coming'>> & { coming?: object }): Told => ({
    statement: statement({}),
    coming: { executions: [], planned: [], to: '2027-04-24T12:00:00.000+02:00', ...coming },
    now: '2027-03-24T12:00:00.000+01:00',
    from: null,
    to: null,
    ...own,
  });
  /** 24 March 2027 is day 20,901 since 1970. */
  const today = 20_901;

  test('S6, S8: what is available moves on the value date, what is booked on the booking date; the credit line is available', () => {
    const { from, booked, available } = courseOf(
      told({
        statement: statement({
          creditLine: money('50.00'),
          entries: [
            entry('2027-03-20', '100.00', '100.00'),
            entry('2027-03-23', '-30.00', '70.00', '2027-03-22'),
            entry('2027-03-23', '5.00', '75.00'),
          ],
          pending: [
            unbooked('-90.00', true),
            // S8b: what is reserved is not available, and neither is what is announced.
            unbooked('-10.00', false),
            unbooked('7.00', false),
          ],
          booked: money('75.00'),
          available: money('25.00'),
        }),
      }),
    );
    expect(from).toBe(today - 4);
    expect(booked).toEqual([
      { day: today - 4, minor: 10_000n },
      { day: today - 1, minor: 7_500n },
    ]);
    expect(available).toEqual([
      { day: today - 4, minor: 15_000n },
      { day: today - 2, minor: 12_000n },
      { day: today - 1, minor: 12_500n },
      { day: today, minor: 2_500n },
    ]);
  });

  test('an account without entries is level, and the plot has a width', () => {
    const course = courseOf(told({ statement: statement({ available: money('12.00'), booked: money('12.00') }) }));
    expect(course.booked).toEqual([{ day: today, minor: 1_200n }]);
    expect(course.to).toBeGreaterThan(course.from);
  });

  test('the forecast is what its attempts see and leave, and what others pay to it; an attempt without funds takes nothing', () => {
    const execution = (
      account: string,
      at: string,
      available: string,
      needed: string,
      outcome: 'settle' | 'retry',
    ) => ({
      paymentId: 'x',
      account,
      payee: 'Ola',
      executionDate: localDate(at.slice(0, 10)),
      run: { date: localDate(at.slice(0, 10)), number: 1, at },
      outcome,
      available: money(available),
      needed: money(needed),
      reason: '',
    });
    const { forecast } = courseOf(
      told({
        statement: statement({ available: money('100.00') }),
        coming: {
          executions: [
            execution(nora, '2027-03-30T05:30:00.000+02:00', '100.00', '60.00', 'settle'),
            execution(company, '2027-03-30T05:30:00.000+02:00', '9.00', '1.00', 'settle'),
            {
              ...execution(company, '2027-03-30T05:30:00.000+02:00', '8.00', '2.00', 'settle'),
              credit: { account: nora, amount: money('2.00') },
            },
            execution(nora, '2027-03-31T05:30:00.000+02:00', '90.00', '1000.00', 'retry'),
          ],
        },
      }),
    );
    expect(forecast.map(({ minor }) => minor)).toEqual([10_000n, 4_000n, 4_200n, 9_000n]);
  });

  test('a period that has ended has no forecast, and ends with its last day', () => {
    const { forecast, to } = courseOf(told({ from: '2027-01-01', to: '2027-01-31' }));
    expect(forecast).toEqual([]);
    expect(to).toBe(20_850);
  });
});

describe('the scale of a plot', () => {
  test.each<[bigint[], bigint[]]>([
    [
      [1_800_000n, 1_773_700n],
      [1_770_000n, 1_780_000n, 1_790_000n, 1_800_000n, 1_810_000n],
    ],
    [
      [-500n, 250n],
      [-600n, -400n, -200n, 0n, 200n, 400n],
    ],
    [[0n], [0n, 1n]],
    [
      [1_800_000n, 1_800_000n],
      [0n, 500_000n, 1_000_000n, 1_500_000n, 2_000_000n],
    ],
    [[10n ** 15n, -(10n ** 15n)], [-2n, -1n, 0n, 1n, 2n, 3n].map((each) => each * 5n * 10n ** 14n)],
  ])('%j', (values, ticks) => {
    expect(scaleOf(values).ticks).toEqual(ticks);
    for (const value of values) expect(value >= scaleOf(values).bottom && value <= scaleOf(values).top).toBe(true);
  });

  const labels = (from: string, to: string) =>
    dateLabelsOf(epochDay(localDate(from)), epochDay(localDate(to))).map(({ text, year, isSpare }) =>
      [text, year, isSpare ? '' : 'always'].filter(Boolean).join(' '),
    );
  test.each([
    ['2027-03-01', '2027-04-01', ['1 Mar always', '8 Mar', '15 Mar always', '22 Mar', '29 Mar always']],
    ['2026-12-24', '2027-04-24', ['Jan 2027 always', 'Feb', 'Mar', 'Apr always']],
    ['2026-07-01', '2026-10-01', ['Jul 2026 always', 'Aug', 'Sep']],
    ['2016-06-30', '2024-01-01', ['2017', '2018', '2019 always', '2020', '2021', '2022 always', '2023']],
  ])('from %s to %s the axis names months, or Mondays or years', (from, to, texts) => {
    expect(labels(from, to)).toEqual(texts);
  });

  test('the axis of ten thousand years has few labels', () => {
    expect(dateLabelsOf(-719_162, 2_932_896).length).toBeLessThan(17);
  });

  test('of thousands of steps the least and the most of each stretch are left', () => {
    const steps = Array.from({ length: 10_000 }, (_, day) => ({ day, minor: day === 5_005 ? -7n : BigInt(day % 10) }));
    const kept = reduced(steps, { from: 0, to: 10_000 }, 100);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(kept).toContainEqual({ day: 5_005, minor: -7n });
    expect(kept[0]).toEqual(steps[0]);
    expect(kept.at(-1)).toEqual(steps.at(-1));
    expect(reduced(steps.slice(0, 50), { from: 0, to: 10_000 }, 100)).toEqual(steps.slice(0, 50));
  });
});

describe('the pages of accounts', () => {
  const bank = testBank(beforeEaster);
  let client: ConsoleClient;
  const read = async (path: string) => (await client.get(path)).text;

  beforeAll(async () => {
    client = new ConsoleClient(bank.address);
    await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-03-24' }));
    await bank.advance({ runs: 1 });
  });

  test.each([
    ['Testperson 2', [company], [nora]],
    ['0923 29', [nora], [company]],
    ['NO78 0923', [nora], [company]],
    ['SKATTETREKK', ['86620069552'], [nora]],
    ['<script>', ['No account has “&lt;script&gt;”'], [nora]],
  ])('the list is filtered by %j', async (of, there, missing) => {
    const page = await read(`/console/accounts?of=${encodeURIComponent(of)}`);
    for (const text of there) expect(page).toContain(text);
    for (const text of missing) expect(page).not.toContain(`>${text}<`);
  });

  test('an account has its pending and its booked entries, with the balance after each', async () => {
    const account = await bank.bank.ledger.read((reader) => accountByNumber(reader, nora));
    const today = localDate('2027-03-24');
    const reserved = { amount: -500n, currency: 'NOK', bookingDate: null, valueDate: today, details: {} } as const;
    await addTransactions(bank.bank, account?.resource_id ?? '', [reserved]);
    const pending = await read(`/console/accounts/${nora}`);
    expect(pending).toContain('<h2>Pending</h2>');
    expect(pending).toContain('later: it is reserved');
    await deleteTransactions(bank.bank, account?.resource_id ?? '');
    await bank.advance({ runs: 1 });
    const page = await read(`/console/accounts/${nora}`);
    expect(page).not.toContain('<h2>Pending</h2>');
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(/Opening balance/);
    expect(page).toMatch(/<path\s+class="booked"\s+d="M0 [\d.]+/);
  });

  test('a top up is told, and changes the balance; one that is no amount keeps what was entered, with the reason', async () => {
    const path = `/console/accounts/${nora}`;
    const before = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount;
    const page = await client.get(path);
    const fields = {
      'form-token': hidden(page, 'form-token'),
      'came-from': hidden(page, 'came-from'),
      currency: 'NOK',
    };
    const [, prefilled = ''] = /name="amount"[^>]* value="([^"]*)"/.exec(page.text) ?? [];
    for (const amount of [prefilled, '1 000,50', '250.50']) {
      const done = await client.post(`${path}/top-up`, { ...fields, amount });
      expect((await client.follow(`${path}/top-up`, done)).text).toContain('available.');
    }
    const after = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount;
    expect(Number(after) - Number(before)).toBe(2251);
    for (const amount of ['', '-5', '1.005', '<b>', '9'.repeat(40)]) {
      const refused = await client.follow(`${path}/top-up`, await client.post(`${path}/top-up`, { ...fields, amount }));
      expect(refused.text).toContain('role="alert"');
      expect(refused.text).toContain(`value="${amount.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
      expect(refused.text).toContain('aria-invalid="true"');
    }
    expect((await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount).toBe(after);
    const blank = await client.follow(
      `${path}/top-up`,
      await client.post(`${path}/top-up`, { ...fields, amount: '  ' }),
    );
    expect(unescapedHtml(blank.text)).toContain(
      '"" is refused: it is no decimal number; NOK amounts have 2 fraction digits',
    );
  });

  test.each([
    '/console/accounts/1234',
    `/console/accounts/${nora}?from=x`,
    `/console/accounts/${nora}?from=2027-04-01&to=2027-03-01`,
    `/console/accounts/${nora}?offset=-1`,
    `/console/accounts/${nora}?offset=99999999999999`,
    '/console/accounts?offset=x&of=%00',
    `/console/accounts/${nora}?from=2099-12-31`,
    `/console/accounts/${nora}?from=0001-01-01&to=9999-12-31`,
  ])('%s is a page, not an error of the bank', async (path) => {
    expect((await client.get(path)).status).toBeLessThan(500);
  });

  test('an account with thousands of entries is a small page', async () => {
    const accountId = (await bank.signed('GET', '/v1/sandbox/accounts')).body.find(
      ({ bban }: { bban: string }) => bban === company,
    ).resourceId;
    const mock = { amount: '-1.00', currency: 'NOK', creditorName: 'Aftenposten' };
    const dates = Array.from({ length: 80 }, (_, index) =>
      new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10),
    );
    const mocks = dates.flatMap((date) =>
      Array.from({ length: 40 }, () => ({ ...mock, valueDate: date, bookingDate: date })),
    );
    const path = `/v1/sandbox/accounts/${encodeURIComponent(accountId)}/transactions`;
    for (let first = 0; first < mocks.length; first += 800) {
      expect((await bank.signed('POST', path, { body: mocks.slice(first, first + 800) })).status).toBe(201);
    }
    const page = await read(`/console/accounts/${company}`);
    expect(page).toContain('of 3');
    expect(page.length).toBeLessThan(120_000);
  });
});
