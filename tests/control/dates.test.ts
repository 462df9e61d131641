import { describe, expect, test } from '@jest/globals';
import { periodicPayment } from '../pipeline/samples.ts';
import { openControl } from './control-client.ts';
import { forAll } from '../support/test-bank.ts';

const control = forAll(
  () => openControl('2027-03-24T12:00:00+01:00'),
  (own) => own.close(),
);

describe('K11: GET /sandbox/calendar', () => {
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

describe('K11: POST /sandbox/schedule', () => {
  const plain = { ...periodicPayment, endDate: undefined, dayOfExecution: undefined, monthsOfExecution: undefined };

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
