import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openBank } from '../../engine/open-bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { setClock } from '../../engine/reset-and-restore.ts';
import { openControl, type ControlClient } from '../control/control-client.ts';
import { at, calendar, knownState, manualClock, memoryBank } from '../lab/bank.ts';
import { paySigned, orderSigned } from '../lab/payments.ts';
import { rowsIn, rowsOf } from '../lab/rows.ts';
import { startTestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

// Wednesday before Easter 2027, between the third and the fourth run.
const now = '2027-03-24T12:00:00.000+01:00';
const wall = manualClock(at(now));
let control: ControlClient;

afterEach(() => control.close());

async function open(mode: 'running' | 'frozen'): Promise<void> {
  wall.set(at(now));
  control = await openControl(now, { wall, start: { mode, now: at(now) } });
}

const put = (body: object) => control.send('PUT', '/sandbox/clock', { body });
const clock = async () => (await control.get('/sandbox/clock')).body;
const later = (seconds: number) => wall.set((wall.now() + seconds * 1000) as Instant);

describe('a running clock', () => {
  test('goes as the wall clock does, and keeps its offset after an advance (T7)', async () => {
    await open('running');
    expect(await clock()).toMatchObject({ now, rate: 1 });
    await control.post('/sandbox/clock/advance', { by: 'P3D' });
    later(90);
    expect((await clock()).now).toBe('2027-03-27T12:01:30.000+01:00');
  });

  test('with rate 3600 an hour passes in each second, from the moment of the call on', async () => {
    await open('running');
    later(10);
    expect((await put({ rate: 3600 })).body).toMatchObject({ now: '2027-03-24T12:00:10.000+01:00', rate: 3600 });
    later(2);
    expect(await clock()).toMatchObject({ now: '2027-03-24T14:00:10.000+01:00', mode: 'running', rate: 3600 });
    await put({ rate: 1 });
    later(5);
    expect((await clock()).now).toBe('2027-03-24T14:00:15.000+01:00');
  });

  test('goes on at its rate after an advance', async () => {
    await open('running');
    await put({ rate: 60 });
    await control.post('/sandbox/clock/advance', { to: '2027-03-31' });
    later(1);
    expect(await clock()).toMatchObject({ now: '2027-03-31T00:01:00.000+02:00', rate: 60 });
  });

  test('stands at the end of 2099, whatever its rate', async () => {
    await open('running');
    await put({ now: '2099-12-31T23:00:00+01:00', rate: 86_400 });
    later(3600);
    expect((await clock()).now).toBe('2099-12-31T23:59:59.999+01:00');
  });
});

test('T5b: a new ledger begins on the wall clock exactly, however long its opening takes', async () => {
  await open('running');
  let begun = at(now);
  // Each look at it takes 100 ms.
  const slow = () => (begun = (begun + 100) as Instant);
  const { ledger, close } = await openBank({
    ledger: ':memory:',
    wall: { now: slow, monotonic: slow },
    ids: { seed: 'begun' },
    calendar,
    knownState,
  });
  const rows = await ledger.read((reader) => rowsOf(reader, 'select clock_mode, clock_value from bank_state'));
  expect(rows).toEqual([{ clock_mode: 'running', clock_value: 0 }]);
  await close();
});

test('a frozen clock keeps its rate for when it runs again', async () => {
  await open('frozen');
  await put({ rate: 3600 });
  later(60);
  expect(await clock()).toMatchObject({ now, mode: 'frozen', rate: 3600 });
  await put({ mode: 'running' });
  later(1);
  expect((await clock()).now).toBe('2027-03-24T13:00:00.000+01:00');
});

test('now, mode and rate go together; backwards lays the known state with that rate, and a reset of it rate 1', async () => {
  await open('frozen');
  const { body } = await put({ now: '2027-03-20T12:00:00+01:00', mode: 'running', rate: 60 });
  expect(body).toMatchObject({ now: '2027-03-20T12:00:00.000+01:00', mode: 'running', rate: 60, advanced: null });
  later(60);
  expect((await clock()).now).toBe('2027-03-20T13:00:00.000+01:00');
  const { clock: begun } = (await control.post('/sandbox/reset')).body;
  expect(begun).toMatchObject({ now: '2027-03-20T12:00:00.000+01:00', mode: 'running', rate: 1 });
});

test('a reset goes back to rate 1', async () => {
  await open('running');
  await put({ rate: 3600 });
  later(5);
  expect((await control.post('/sandbox/reset')).body.clock).toMatchObject({ now, mode: 'running', rate: 1 });
});

test.each([0, -1, 0.5, 1.5, 86_401, 1e300])('rate %d: 400 with what is allowed, and nothing changed', async (rate) => {
  await open('running');
  const { status, body } = await put({ rate, mode: 'frozen' });
  expect([status, body.allowed]).toEqual([400, { from: '1', to: '86400' }]);
  expect(body.errors[0].path).toBe('rate');
  expect(await clock()).toMatchObject({ now, mode: 'running', rate: 1 });
});

test.each([['"3600"'], ['null'], ['true'], ['[1]']])('rate %s is no number: 400 that says what is', async (rate) => {
  await open('running');
  const { status, body } = await control.send('PUT', '/sandbox/clock', { body: `{"rate":${rate}}` });
  expect([status, body.errors[0].path]).toEqual([400, 'rate']);
  expect(body.detail).toContain('a whole number from 1 to 86400');
});

test('T7: the rate outlives a restart, and the runs of the downtime are caught up in order', async () => {
  await open('frozen');
  const options = { wall, ledger: join(folder, 'ledger.sqlite'), start: { mode: 'running', now: at(now) } } as const;
  const first = await memoryBank(now, options);
  await paySigned(first, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-30'));
  await setClock(first, { now: null, mode: null, rate: 3600 });
  await first.close();
  // Six days of 24 hours, at an hour a second.
  later(144);
  const second = await memoryBank(now, options);
  const { runs } = await advanceClock(second, 'now');
  expect(runs.map(({ id }) => id)).toEqual(['2027-03-30/1', '2027-03-30/2']);
  expect(await readClock(second)).toMatchObject({ now: at('2027-03-30T13:00:00+02:00'), rate: 3600 });
  await second.close();
});

test('with a rate, the ticks of a server carry out every run in between, each once and in order', async () => {
  await open('frozen');
  await using server = await startTestBank('2027-03-29T22:00:00+02:00', [], { wall, heartbeat: 20 });
  const plan = { startDate: localDate('2027-03-30'), frequency: 'Daily' } as const;
  await orderSigned(server.bank, { from: 'nora', to: 'even', amount: '1.00' }, plan);
  await server.control('PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
  // A second of the machine is a day: between two heartbeats every run of a day passes.
  for (const date of ['2027-03-30', '2027-03-31', '2027-04-01', '2027-04-02']) {
    later(1);
    while ((await readClock(server.bank)).lastRun.date < date) await new Promise((tick) => setTimeout(tick, 10));
  }
  const attempts = await rowsIn(server.bank, 'select run_date, run_number from attempt order by execution_id');
  const runs = attempts.map((row) => `${String(row['run_date'])}/${String(row['run_number'])}`);
  expect(runs.slice(0, 3)).toEqual(['2027-03-30/1', '2027-03-31/1', '2027-04-01/1']);
  expect((await server.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
}, 40_000);
