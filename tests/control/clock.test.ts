import { afterEach, expect, test } from '@jest/globals';
import { at } from '../lab/bank.ts';
import { pay, paySigned } from '../lab/payments.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { openControl, type ControlClient } from './control-client.ts';

// Wednesday before Easter 2027, between the third and the fourth run.
const now = '2027-03-24T12:00:00.000+01:00';
let control: ControlClient;

afterEach(() => control.close());

test('the clock: bank time in Oslo, wall time, and the runs around it (T6: scheduled ones, empty or not)', async () => {
  control = await openControl(now);
  expect((await control.get('/sandbox/clock')).body).toEqual({
    now,
    date: '2027-03-24',
    mode: 'frozen',
    rate: 1,
    wall: now,
    lastRun: { id: '2027-03-24/3', at: '2027-03-24T11:30:00.000+01:00' },
    nextRun: { id: '2027-03-24/4', at: '2027-03-24T13:30:00.000+01:00' },
  });
});

test('K3: PUT now forwards advances: the runs of the way are carried out (T7)', async () => {
  control = await openControl(now);
  await paySigned(control.bank, { from: 'nora', to: 'even', amount: '100.00' }, localDate('2027-03-30'));
  const { status, body } = await control.send('PUT', '/sandbox/clock', { body: { now: '2027-03-31' } });
  expect([status, body.now, body.lastRun.id]).toEqual([200, '2027-03-31T00:00:00.000+02:00', '2027-03-30/5']);
  expect(body.reseeded).toBe(false);
  expect(body.advanced.runs.map(({ id, settled, booked }: Record<string, unknown>) => [id, settled, booked])).toEqual([
    ['2027-03-30/1', 1, 0],
    ['2027-03-30/2', 0, 1],
  ]);
});

test('T7b: backwards while no payment was initiated: reseeded, the known state is created again at that instant, and reset goes there', async () => {
  control = await openControl(now);
  const back = await control.send('PUT', '/sandbox/clock', { body: { now: '2021-12-24', mode: 'running' } });
  expect(back.body).toMatchObject({
    now: '2021-12-24T00:00:00.000+01:00',
    mode: 'running',
    advanced: null,
    reseeded: true,
  });
  expect(back.body.nextRun.id).toBe('2021-12-27/1');
  const proof = await control.get('/sandbox/ledger/proof');
  expect(proof.body.accounts.find(({ bban }: { bban: string }) => bban === '09232911044').stored.amount).toBe(
    '18000.00',
  );
  await control.send('PUT', '/sandbox/clock', { body: { now: '2022-06-01', mode: 'frozen' } });
  const reset = await control.post('/sandbox/reset');
  expect(reset.body.clock).toMatchObject({ now: '2021-12-24T00:00:00.000+01:00', mode: 'running' });
});

test('backwards after an initiation: 409 with what is allowed, and nothing changed', async () => {
  control = await openControl(now);
  const { payment } = await pay(control.bank, { from: 'nora', to: 'even', amount: '100.00' });
  const { status, body } = await control.send('PUT', '/sandbox/clock', {
    body: { now: '2027-03-24T11:59:59.999+01:00' },
  });
  expect([status, body.code, body.allowed.from]).toEqual([409, 'CONFLICT', now]);
  expect((await control.get('/sandbox/clock')).body.now).toBe(now);
  expect((await control.get(`/sandbox/payments/${encodeURIComponent(payment.resource_id)}`)).status).toBe(200);
});

test('a running clock is frozen at exactly the instant asked for', async () => {
  control = await openControl(now, { start: { mode: 'running', now: at(now) } });
  const asked = '2027-03-30T10:00:00.000+02:00';
  const { body } = await control.send('PUT', '/sandbox/clock', { body: { now: asked, mode: 'frozen' } });
  expect(body).toMatchObject({ now: asked, mode: 'frozen', lastRun: { id: '2027-03-30/2' } });
});

test.each([
  ['1990-01-01', 200],
  ['1989-12-31T23:59:59.999+01:00', 400],
  ['2099-12-31T23:59:59.999+01:00', 200],
  ['2100-01-01', 400],
  ['9999-12-31', 400],
  ['0001-01-02', 400],
])('%s: %i, the years that the banking calendar covers', async (asked, status) => {
  control = await openControl(now);
  const answer = await control.send('PUT', '/sandbox/clock', { body: { now: asked } });
  expect(answer.status).toBe(status);
  if (status === 400) {
    expect(answer.body.allowed).toEqual({ from: '1990-01-01T00:00:00.000+01:00', to: '2099-12-31T23:59:59.999+01:00' });
  } else {
    // There is a run before and after even at the ends.
    expect((await control.get('/sandbox/clock')).body.nextRun.at > answer.body.lastRun.at).toBe(true);
  }
});

test('one call goes 10 years at most once there are payments', async () => {
  control = await openControl(now);
  expect((await control.send('PUT', '/sandbox/clock', { body: { now: '2040-01-01' } })).status).toBe(200);
  await pay(control.bank, { from: 'nora', to: 'even', amount: '100.00' });
  const { status, body } = await control.send('PUT', '/sandbox/clock', {
    body: { now: '2050-01-02', mode: 'running' },
  });
  expect([status, body.allowed.to]).toEqual([400, '2050-01-01T00:00:00.000+01:00']);
  expect((await control.get('/sandbox/clock')).body.mode).toBe('frozen');
});
