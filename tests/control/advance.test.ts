import { describe, expect, test } from '@jest/globals';
import { controlForEach } from './control-client.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { pay, paySigned, orderSigned } from '../lab/payments.ts';
import type { Answer } from './control-client.ts';

// Wednesday before Easter 2027; closed from Thursday to Monday, summer time from Sunday.
const now = '2027-03-24T12:00:00.000+01:00';
const control = controlForEach(now);

const advance = (body: unknown): Promise<Answer> => control.post('/sandbox/clock/advance', body);
const clockNow = async (): Promise<string> => (await control.get('/sandbox/clock')).body.now;

async function signed(amount: string, on: string, from: 'nora' | 'anne' = 'nora'): Promise<string> {
  const { payment } = await paySigned(control.bank, { from, to: 'even', amount }, localDate(on));
  return payment.resource_id;
}

describe('how far', () => {
  test.each([
    [{ to: '2027-03-25' }, '2027-03-25T00:00:00.000+01:00', 2],
    [{ to: now }, now, 0],
    [{ by: 'P3D' }, '2027-03-27T12:00:00.000+01:00', 2],
    [{ by: 'P5D' }, '2027-03-29T12:00:00.000+02:00', 2],
    [{ by: 'PT0S' }, now, 0],
    [{ runs: 1 }, '2027-03-24T13:30:00.000+01:00', 1],
    [{ runs: 3 }, '2027-03-30T05:30:00.000+02:00', 3],
    [{ runs: 8 }, '2027-03-31T05:30:00.000+02:00', 8],
  ])('%j: %s, %i empty runs skipped', async (body, to, skipped) => {
    const answer = await advance(body);
    expect(answer.body).toEqual({ from: now, to, runs: [], skippedEmptyRuns: skipped });
    expect(await clockNow()).toBe(to);
  });

  test('runs with something to do are told in order, the others counted', async () => {
    await signed('100.00', '2027-03-30');
    const { body } = await advance({ to: '2027-04-01' });
    expect(body.runs).toEqual([
      {
        id: '2027-03-30/1',
        at: '2027-03-30T05:30:00.000+02:00',
        settled: 1,
        retried: 0,
        rejected: 0,
        booked: 0,
        registered: 0,
        trigger: 'advance',
        lateMs: null,
      },
      {
        id: '2027-03-30/2',
        at: '2027-03-30T09:30:00.000+02:00',
        settled: 0,
        retried: 0,
        rejected: 0,
        booked: 1,
        registered: 0,
        trigger: 'advance',
        lateMs: null,
      },
    ]);
    expect(body.skippedEmptyRuns).toBe(2 + 5 + 5 - 2);
  });

  test.each([
    [{ by: 'P3' }, 'by'],
    [{ to: '2027-02-31' }, 'to'],
    [{ runs: 0 }, 'runs'],
    [{ by: 'P3D', runs: 1 }, ''],
    [{}, ''],
  ])('%j is no advance: 400 with its faults, and the forms that are', async (body, path) => {
    const { status, body: problem } = await advance(body);
    expect([status, problem.code, problem.detail]).toEqual([400, 'FORMAT_ERROR', expect.any(String)]);
    if (path !== '') expect(problem.errors).toContainEqual({ path, detail: expect.any(String) });
    expect(problem.allowed.length).toBeGreaterThan(3);
    for (const form of problem.allowed) expect((await advance(JSON.parse(form))).body.code).not.toBe('FORMAT_ERROR');
  });

  test('exactly 10 years are not too many', async () => {
    expect((await advance({ by: 'P10Y' })).status).toBe(200);
    expect(await clockNow()).toBe('2037-03-24T12:00:00.000+01:00');
  });

  test('at the end of 2099 it ends', async () => {
    await control.send('PUT', '/sandbox/clock', { body: { now: '2099-12-31T12:00:00+01:00' } });
    expect((await advance({ by: 'P1D' })).status).toBe(400);
    expect((await advance({ runs: 3 })).status).toBe(400);
    expect((await advance({ runs: 2 })).body.to).toBe('2099-12-31T15:30:00.000+01:00');
  });
});

describe('until a payment has a status', () => {
  const until = (paymentId: string, status: string): Promise<Answer> => advance({ until: { paymentId, status } });

  test('stops right after the run in which it gets it', async () => {
    const { body } = await until(await signed('100.00', '2027-03-30'), 'ACSC');
    expect([body.reached, body.to, body.runs.length]).toEqual([true, '2027-03-30T05:30:00.000+02:00', 1]);
  });

  test('the status that it has: nothing to advance', async () => {
    expect((await until(await signed('100.00', '2027-03-30'), 'ACSP')).body).toMatchObject({
      from: now,
      to: now,
      reached: true,
    });
  });

  test('a payment without funds is ACCP after one run and RJCT after five', async () => {
    const id = await signed('1000.00', '2027-03-30', 'anne');
    expect((await until(id, 'ACCP')).body).toMatchObject({ reached: true, to: '2027-03-30T05:30:00.000+02:00' });
    expect((await until(id, 'RJCT')).body).toMatchObject({ reached: true, to: '2027-03-30T15:30:00.000+02:00' });
  });

  test('final in another way: reached is false, and the clock stands at that run', async () => {
    const { status, body } = await until(await signed('1000.00', '2027-03-30', 'anne'), 'ACSC');
    expect([status, body.reached, body.to]).toEqual([200, false, '2027-03-30T15:30:00.000+02:00']);
  });

  test('a periodic payment is ACSC when its last occurrence is final', async () => {
    const plan = {
      startDate: localDate('2027-03-26'),
      endDate: localDate('2027-05-26'),
      frequency: 'Monthly',
    } as const;
    const { payment } = await orderSigned(control.bank, { from: 'nora', to: 'even', amount: '5.00' }, plan);
    expect((await until(payment.resource_id, 'ACSC')).body).toMatchObject({
      reached: true,
      to: '2027-05-26T05:30:00.000+02:00',
    });
  });

  test.each([
    [
      'not signed',
      'ACSC',
      async () => (await pay(control.bank, { from: 'nora', to: 'even', amount: '1.00' })).payment.resource_id,
    ],
    ['an order is ACSP until its end', 'PDNG', () => signedOrder()],
    ['beyond 10 years', 'ACSC', () => signed('1.00', '2038-01-04')],
    ['periodic without end', 'ACSC', () => signedOrder()],
    ['an occurrence that lacks funds leaves its payment as it is', 'ACCP', () => signedOrder()],
  ])('409, and nothing changed: %s', async (_why, status, make) => {
    const answer = await until(await make(), status);
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    expect(await clockNow()).toBe(now);
  });

  test('409: a final payment', async () => {
    const id = await signed('1.00', '2027-03-24');
    await until(id, 'ACSC');
    expect((await until(id, 'RJCT')).status).toBe(409);
  });

  test('an unknown status: 400 that lists the codes; an unknown payment: 404', async () => {
    const unknown = await until('enc!!x=', 'DONE');
    expect([unknown.status, unknown.body.allowed]).toEqual([400, expect.arrayContaining(['RCVD', 'ACSC', 'CANC'])]);
    expect((await until('enc!!x=', 'ACSC')).status).toBe(404);
  });

  async function signedOrder(): Promise<string> {
    const plan = { startDate: localDate('2027-03-26'), frequency: 'Monthly' } as const;
    const { payment } = await orderSigned(control.bank, { from: 'nora', to: 'even', amount: '5.00' }, plan);
    return payment.resource_id;
  }
});

test('K4: while an advance is under way a second one, a PUT and a reset are refused with 409; reading goes on', async () => {
  const plan = { startDate: localDate('2027-03-26'), frequency: 'Daily' } as const;
  await orderSigned(control.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
  const long = advance({ by: 'P3Y' });
  let done = false;
  void long.then(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await advance({ by: 'P1D' });
  const put = await control.send('PUT', '/sandbox/clock', { body: { mode: 'running' } });
  const reset = await control.post('/sandbox/reset');
  const read = await control.get('/sandbox/clock');
  expect(done).toBe(false);
  expect([second.status, put.status, reset.status, read.status]).toEqual([409, 409, 409, 200]);
  for (const { body } of [second, put, reset]) expect(body.allowed).toContain('every GET');
  expect((await long).body.to).toBe('2030-03-24T12:00:00.000+01:00');
  expect((await advance({ by: 'P1D' })).status).toBe(200);
});

test('an advance that a reset overtakes does not move the clock of the new state', async () => {
  const { advanceClock } = await import('../../engine/runs/advance-clock.ts');
  const { resetBank } = await import('../../engine/reset-and-restore.ts');
  const { at } = await import('../lab/bank.ts');
  const plan = { startDate: localDate('2027-03-26'), frequency: 'Daily' } as const;
  await orderSigned(control.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
  let runs = 0;
  const long = advanceClock(control.bank, at('2028-01-01'), { ran: () => (runs += 1) });
  while (runs < 3) await new Promise((resolve) => setImmediate(resolve));
  await resetBank(control.bank);
  await long;
  expect(await clockNow()).toBe(now);
});
