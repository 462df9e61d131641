import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { localDate } from '../../../engine/values/local-date.ts';
import { order, pay, payBulk, sign, paySigned } from '../../lab/payments.ts';
import { openControl, type Answer, type ControlClient } from '../control-client.ts';
import { busyBank } from './busy-bank.ts';
import { fitting } from './fitting.ts';

let control: ControlClient;
afterEach(() => control.close());

const runs = async (query = ''): Promise<Answer['body'][]> =>
  (await fitting(control, 'GET', `/sandbox/runs${query}`)).runs;
const run = (id: string): Promise<Answer['body']> => fitting(control, 'GET', `/sandbox/runs/${id}`);

describe('K10: a known bank', () => {
  beforeEach(async () => {
    control = await openControl('2027-03-24T12:00:00+01:00');
  });

  test('the runs that had work, as an advance reports them, the newest first; one with each attempt', async () => {
    expect(await runs()).toEqual([]);
    const { bank } = control;
    const rent = await pay(bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(bank, rent.payment.resource_id, 'nora');
    const poor = await pay(bank, { from: 'anne', to: 'shop', amount: '900.00' });
    await sign(bank, poor.payment.resource_id, 'anne');
    const bulk = await payBulk(bank, [
      { from: 'even', to: 'nora', amount: '1.10' },
      { from: 'even', to: 'shop', amount: '2.20' },
    ]);
    await sign(bank, bulk.payment.resource_id, 'even');
    const plan = { frequency: 'Daily', startDate: localDate('2027-03-30'), endDate: localDate('2027-03-31') } as const;
    const coffee = await order(bank, { from: 'nora', to: 'shop', amount: '4.00' }, plan);
    await sign(bank, coffee.payment.resource_id, 'nora');
    const { body } = await control.post('/sandbox/clock/advance', { to: '2027-03-30T10:00:00+02:00' });
    expect(await runs()).toEqual(body.runs.toReversed());
    expect((await runs())[0]).toEqual({
      id: '2027-03-30/2',
      at: '2027-03-30T09:30:00.000+02:00',
      settled: 0,
      retried: 1,
      rejected: 0,
      booked: 1,
      registered: 0,
      trigger: 'advance',
      lateMs: null,
    });
    const first = await run('2027-03-24%2F4');
    expect(first).toMatchObject({ id: '2027-03-24/4', settled: 3, retried: 1, rejected: 0 });
    const kroner = (amount: string): object => ({ amount, currency: 'NOK' });
    expect(first.attempts).toEqual([
      {
        paymentId: rent.payment.resource_id,
        account: '09232911044',
        payee: 'shop',
        executionDate: '2027-03-24',
        attempt: 1,
        outcome: 'settle',
        reason: 'funds suffice',
        available: kroner('18000.00'),
        needed: kroner('100.00'),
      },
      {
        paymentId: poor.payment.resource_id,
        account: '34300000012',
        payee: 'shop',
        executionDate: '2027-03-24',
        attempt: 1,
        outcome: 'retry',
        reason: '888.00 NOK short at the first attempt, run of Wed 24 Mar, 13:30',
        available: kroner('12.00'),
        needed: kroner('900.00'),
      },
      expect.objectContaining({ paymentId: bulk.payment.resource_id, item: 'payments[0]', outcome: 'settle' }),
      expect.objectContaining({ paymentId: bulk.payment.resource_id, item: 'payments[1]', outcome: 'settle' }),
    ]);
    expect(await run('2027-03-24-4')).toEqual(first);
    const { attempts } = await run('2027-03-30-1');
    expect(attempts[0]).toMatchObject({ paymentId: poor.payment.resource_id, attempt: 3 });
    expect(attempts[1]).toMatchObject({ paymentId: coffee.payment.resource_id, nominalDate: '2027-03-30' });
    expect((await runs('?from=2027-03-30')).map(({ id }) => id)).toEqual(['2027-03-30/2', '2027-03-30/1']);
    expect(await runs('?from=2027-03-25&to=2027-03-29')).toEqual([]);
    expect((await runs('?to=2027-03-24')).map(({ id }) => id)).toEqual(['2027-03-24/5', '2027-03-24/4']);
  });

  test.each([
    '2027-03-30/1',
    '2027-03-30-1',
    '2027-03-27-1',
    '2027-02-30-1',
    '2027-03-24-04',
    '2027-03-24',
    'x',
    '2027-03-24-99999',
  ])('a run that had no work is 404, in words that help: %s', async (id) => {
    const rent = await pay(control.bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(control.bank, rent.payment.resource_id, 'nora');
    await control.post('/sandbox/clock/advance', { runs: 1 });
    expect((await runs()).map((each) => each.id)).toEqual(['2027-03-24/4']);
    const answer = await control.get(`/sandbox/runs/${encodeURIComponent(id)}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(answer.body.detail).toContain('GET /sandbox/runs lists');
  });

  test('the slash of an id as it is leads nowhere, and the answer has the address', async () => {
    const answer = await control.get('/sandbox/runs/2027-03-24/4');
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.body.detail).toContain('The run is at /sandbox/runs/2027-03-24-4, with a hyphen.');
    expect((await control.get('/sandbox/runs/2027-03/4')).body.detail).not.toContain('hyphen');
  });

  test.each([
    ['from=2027-03-30&to=2027-03-29', 'to'],
    ['from=2027-02-30', 'from'],
    ['to=x', 'to'],
  ])('a period that cannot be is 400: %s', async (query, name) => {
    const answer = await control.get(`/sandbox/runs?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: name }] } });
  });

  test('an unknown parameter is 400; a reset leaves none', async () => {
    expect((await control.get('/sandbox/runs?limit=5')).body.allowed).toEqual(['from', 'to']);
    const rent = await pay(control.bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(control.bank, rent.payment.resource_id, 'nora');
    await control.post('/sandbox/clock/advance', { runs: 2 });
    expect(await runs()).toHaveLength(2);
    await control.post('/sandbox/reset');
    expect(await runs()).toEqual([]);
  });
});

test('T6: with one run a day the fifth attempt of a payment, nine days after its date, is told by its run', async () => {
  control = await openControl('2027-03-23T12:00:00+01:00', {
    settlementTimes: { private: ['15:30'], corporate: ['15:30'] },
  });
  const poor = await pay(control.bank, { from: 'anne', to: 'shop', amount: '900000.00' });
  await sign(control.bank, poor.payment.resource_id, 'anne');
  await control.post('/sandbox/clock/advance', { to: '2027-04-30T10:00:00+02:00' });
  const tried = await Promise.all((await runs()).map(async ({ id }) => (await run(encodeURIComponent(id))).attempts));
  const attempts = tried.flat().map(({ attempt, executionDate }) => [attempt, executionDate]);
  expect(attempts).toEqual([5, 4, 3, 2, 1].map((attempt) => [attempt, '2027-03-23']));
});

test('P14: a payment that was moved by months, forward or back, is told by the run that tried it', async () => {
  control = await openControl('2027-03-24T12:00:00+01:00');
  const paid = { from: 'nora', to: 'shop', amount: '100.00' } as const;
  for (const [on, moved] of [
    ['2027-06-15', '2027-04-05'],
    ['2027-04-01', '2027-06-30'],
  ]) {
    const { payment } = await paySigned(control.bank, paid, localDate(on ?? ''));
    const path = `/sandbox/payments/${encodeURIComponent(payment.resource_id)}`;
    expect((await control.send('PATCH', path, { body: { requestedExecutionDate: moved } })).status).toBe(200);
  }
  await control.post('/sandbox/clock/advance', { to: '2027-07-01T12:00:00+02:00' });
  for (const id of ['2027-04-05-1', '2027-06-30-1'])
    expect(await run(id)).toMatchObject({ settled: 1, attempts: [{ outcome: 'settle' }] });
});

test('of a busy bank each run has as many attempts as its counts say, and each payment those that it tells itself', async () => {
  control = await busyBank(5, '2027-06-10');
  const attempts = new Map<string, string[]>();
  const all = await runs();
  expect(all.map(({ at }) => at)).toEqual(
    all.map(({ at }) => at).toSorted((one, other) => Date.parse(other) - Date.parse(one)),
  );
  for (const { id, settled, retried, rejected } of all) {
    const whole = await run(id.replace('/', '-'));
    const of = (outcome: string): number =>
      whole.attempts.filter((each: { outcome: string }) => each.outcome === outcome).length;
    expect([of('settle'), of('retry'), of('reject')]).toEqual([settled, retried, rejected]);
    for (const { paymentId, outcome } of whole.attempts) {
      attempts.set(paymentId, [...(attempts.get(paymentId) ?? []), `${id} ${outcome}`]);
    }
  }
  expect(attempts.size).toBeGreaterThan(10);
  for (const [paymentId, seen] of attempts) {
    const { body } = await control.get(`/sandbox/payments/${encodeURIComponent(paymentId)}`);
    const told = body.attempts.map(({ run: id, outcome }: Record<string, string>) => `${id} ${outcome}`);
    expect(seen.toSorted()).toEqual(told.toSorted());
  }
}, 60_000);
