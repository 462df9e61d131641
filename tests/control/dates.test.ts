import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { periodicPayment } from '../pipeline/samples.ts';
import { openControl } from './control-client.ts';
import { forAll } from '../support/test-bank.ts';

const control = forAll(
  () => openControl('2027-03-24T12:00:00+01:00'),
  (own) => own.close(),
);

describe('K11: GET /sandbox/calendar', () => {
  test('T3: closed on the holidays of QuantLib and vacanza and on weekends, on no other day', async () => {
    const lines = readFileSync(new URL('../data/norway-holidays.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    const holidays = new Map(lines.map((line) => line.split('\t')).map(([date, name]) => [date, name]));
    for (const year of ['2021', '2024', '2027', '2030', '2033']) {
      const { body } = await control.get(`/sandbox/calendar?from=${year}-01-01&to=${Number(year) + 2}-12-31`);
      expect(body.days.length).toBeGreaterThanOrEqual(1095);
      for (const { date, weekday, type, reason, runs } of body.days) {
        const isClosed = holidays.has(date) || weekday === 'Saturday' || weekday === 'Sunday';
        expect([date, type, runs.length, reason === undefined]).toEqual([
          date,
          isClosed ? 'closed' : 'banking',
          isClosed ? 0 : 5,
          !isClosed,
        ]);
      }
    }
  });

  test('T4: a banking day has its runs, a closed one its name', async () => {
    const { body } = await control.get('/sandbox/calendar?from=2027-03-28&to=2027-03-30');
    expect(body.days.map(({ date, weekday, reason }: Record<string, string>) => [date, weekday, reason])).toEqual([
      ['2027-03-28', 'Sunday', expect.stringContaining('påskedag')],
      ['2027-03-29', 'Monday', expect.stringContaining('påskedag')],
      ['2027-03-30', 'Tuesday', undefined],
    ]);
    expect(body.days[2].runs[0]).toEqual({ id: '2027-03-30/1', at: '2027-03-30T05:30:00.000+02:00' });
  });

  test.each([
    ['', 'from'],
    ['from=2027-01-01', 'to'],
    ['from=2027-02-31&to=2027-03-01', 'from'],
    ['from=2027-01-01T00:00:00Z&to=2027-03-01', 'from'],
    ['from=2027-01-02&to=2027-01-01', 'to'],
    ['from=2027-01-01&to=2030-01-01', 'to'],
    ['from=2027-03-01&to=2030-03-01', 'to'],
    ['from=1989-12-31&to=1990-01-01', 'from'],
    ['from=2099-12-31&to=2100-01-01', 'to'],
  ])('?%s: 400 on %s', async (query, path) => {
    const { status, body } = await control.get(`/sandbox/calendar?${query}`);
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  test.each(['from=2027-01-01&to=2027-01-01&from=2027-01-01', 'from=2027-01-01&to=2027-01-02&until=1'])(
    '?%s: 400',
    async (query) => {
      expect((await control.get(`/sandbox/calendar?${query}`)).status).toBe(400);
    },
  );
});

interface OutsideCase {
  readonly id: string;
  readonly request: object;
  readonly nominal: readonly string[];
  readonly following: readonly string[];
  readonly preceeding: readonly string[];
}

describe('K11: POST /sandbox/schedule', () => {
  const { cases } = JSON.parse(readFileSync(new URL('../data/periodic-schedules.json', import.meta.url), 'utf8')) as {
    cases: readonly OutsideCase[];
  };
  const plain = { ...periodicPayment, endDate: undefined, dayOfExecution: undefined, monthsOfExecution: undefined };

  // The contract bounds months at 11 (R5); one case may list December.
  test.each(cases.flatMap((one) => (['following', 'preceeding'] as const).map((rule) => ({ ...one, rule }))))(
    'R2-R7: $id $rule as python-dateutil and QuantLib have it, in the past too',
    async (one) => {
      const sent = { ...plain, ...one.request, executionRule: one.rule };
      const { status, body } = await control.post(`/sandbox/schedule?count=${one.nominal.length}`, sent);
      if (JSON.stringify(one.request).includes('12]')) {
        expect([status, body.errors[0].detail]).toEqual([400, expect.stringContaining('december-month')]);
        return;
      }
      expect(status).toBe(200);
      const found = body.occurrences as Record<string, string>[];
      expect(found.map(({ nominalDate }) => nominalDate)).toEqual(one.nominal);
      expect(found.map(({ executionDate }) => executionDate)).toEqual(one[one.rule]);
      expect(
        found.every(
          ({ nominalDate, executionDate, reason }) => (nominalDate === executionDate) === (reason === undefined),
        ),
      ).toBe(true);
    },
  );

  test('100 at most unless a count is asked for; ignored members are warned of', async () => {
    const daily = { ...plain, frequency: 'Daily', dayOfExecution: '5' };
    const { body } = await control.post('/sandbox/schedule', daily);
    expect([body.occurrences.length, body.warnings[0].path]).toEqual([100, 'dayOfExecution']);
    expect((await control.post('/sandbox/schedule?count=1000', daily)).body.occurrences).toHaveLength(1000);
  });

  test.each<[string, object, number, string]>([
    ['', { startDate: '1989-12-31' }, 400, 'startDate'],
    ['', { startDate: '2100-01-01' }, 400, 'startDate'],
    ['', { endDate: '2027-01-01' }, 400, 'endDate'],
    ['', { dayOfExecution: '15', endDate: '2027-02-14' }, 400, 'endDate'],
    ['', { instructedAmount: { amount: 1, currency: 'NOK' } }, 400, 'instructedAmount.amount'],
    ['?count=0', {}, 400, 'count'],
    ['?count=10001', {}, 400, 'count'],
    ['?count=1e3', {}, 400, 'count'],
  ])('%s %j: %i on %s', async (query, change, status, path) => {
    const answer = await control.post(`/sandbox/schedule${query}`, { ...plain, ...change });
    expect([answer.status, answer.body.errors[0].path]).toEqual([status, path]);
  });

  test('it creates nothing', async () => {
    const before = (await control.get('/sandbox/clock')).body;
    await control.post('/sandbox/schedule', plain);
    expect((await control.get('/sandbox/clock')).body).toEqual(before);
  });
});
