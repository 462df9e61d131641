import { afterEach, describe, expect, test } from '@jest/globals';
import { connectOverHttp } from '../../api/harness/connect-bank.ts';
import type { ServerOptions } from '../../api/hosting/server.ts';
import { moveWall, RealDate, restoreWall } from '../support/moved-date.ts';
import { at, manualClock, type ManualClock } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/** No heartbeat comes while a test runs: what carries out a run is cron. In ms. */
const never = 3_600_000;

let bank: TestBank;
afterEach(async () => {
  await bank.stop();
  restoreWall();
});

interface Opened {
  /** Path of the bank. Left out: the one at the root. */
  readonly base?: string;
  /** By how many ms the bank clock is behind the wall clock. */
  readonly lag?: number;
  readonly flags?: readonly string[];
  readonly options?: ServerOptions;
  /** Called before the payment. */
  readonly prepare?: () => Promise<unknown>;
}

/** How long before a run a bank opens, in seconds: a slow machine gets the longer ones. */
const headStarts = [1, 4, 16, 64, 256];

/**
 * Opens a server with a running clock some seconds before a run, and pays. A slow machine gets a longer time until the run. The clock of a named
 * bank begins when the bank is opened, after the server: the wall clock is set by it, since cron comes for no bank that is a second behind.
 */
async function paidBefore(
  run: string,
  { base = '', lag = 0, flags = [], options = {}, prepare }: Opened,
): Promise<void> {
  for (const seconds of headStarts) {
    const shown = RealDate.parse(run) - seconds * 1000;
    moveWall(shown + lag);
    const all = ['--clock-mode', 'running', ...flags];
    bank = await startTestBank(new RealDate(shown).toISOString(), all, { heartbeat: never, ...options });
    await prepare?.();
    await pay(base);
    const { now } = (await bank.control('GET', `${base}/sandbox/clock`)).body;
    // What cron waits for was chosen by this wall clock: after the run it is that of the next day.
    const isBefore = Date.now() < RealDate.parse(run) + lag;
    moveWall(RealDate.parse(now) + lag);
    if (isBefore) return;
    await bank.stop();
  }
  throw new Error(`no payment was made before ${run}`);
}

async function pay(base = '', amount = '10.00'): Promise<void> {
  await using connected = await connectOverHttp(bank.address + base, {});
  await connected.tpp().pay({ from: '09232911044', to: '90491105991', amount });
}

/** The first run that did something. Throws if there is none ten seconds after the bank clock reached `due`, however slow the machine is. */
async function firstRun(due: string, base = ''): Promise<unknown> {
  for (let looks = 0; looks < 200;) {
    const { runs } = (await bank.control('GET', `${base}/sandbox/runs`)).body;
    if (runs.length > 0) return runs.at(-1);
    const { now } = (await bank.control('GET', `${base}/sandbox/clock`)).body;
    if (RealDate.parse(now) >= RealDate.parse(due)) looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no run did anything at ${due}`);
}

const aNumber: unknown = expect.any(Number);

describe('T5b: without the heartbeat, cron alone carries out a run', () => {
  test.each([
    ['in winter, the bank clock 190 ms behind the wall clock', '2027-01-12T05:30:00.000+01:00', 190],
    ['in summer, both clocks together', '2027-04-12T05:30:00.000+02:00', 0],
  ])(
    '%s',
    async (_, run, lag) => {
      await paidBefore(run, { lag });
      expect(await firstRun(run)).toMatchObject({ at: run, settled: 1, trigger: 'cron', lateMs: aNumber });
    },
    300_000,
  );

  test('of a named bank that has times of its own and is opened after the start', async () => {
    const base = '/banks/own';
    const made = { name: 'own', mode: 'running', settlementTimes: ['07:17', '18:00'] };
    const prepare = () => bank.control('POST', '/sandbox/banks', made);
    const run = '2027-04-12T07:17:00.000+02:00';
    await paidBefore(run, { base, flags: ['--settlement-times', '06:00'], prepare });
    expect(await firstRun(run, base)).toMatchObject({ id: '2027-04-12/1', trigger: 'cron' });
  }, 300_000);

  test('of a bank of the platform', async () => {
    const base = '/banks/handelsbanken-norge';
    const run = '2027-04-12T08:15:00.000+02:00';
    await paidBefore(run, { base, options: { platform: ['handelsbanken-norge'] } });
    expect(await firstRun(run, base)).toMatchObject({ at: run, trigger: 'cron' });
  }, 300_000);
});

test('T5b: with both, cron carries out a run, however often the heart beats', async () => {
  const run = '2027-04-12T05:30:00.000+02:00';
  await paidBefore(run, { options: { heartbeat: 1 } });
  expect(await firstRun(run)).toMatchObject({ at: run, settled: 1, trigger: 'cron' });
}, 300_000);

test('T5b: without cron, the heartbeat carries out a run; that of an advance is not late', async () => {
  // Cron follows the wall clock, which is an hour ahead.
  const run = '2027-04-12T11:30:00.000+02:00';
  await paidBefore(run, { lag: 3_600_000, options: { heartbeat: 20 } });
  expect(await firstRun(run)).toMatchObject({ at: run, trigger: 'heartbeat', lateMs: aNumber });
  await pay('', '20.00');
  const { body } = await bank.advance({ runs: 1 });
  expect(body.runs).toMatchObject([{ at: '2027-04-12T13:30:00.000+02:00', trigger: 'advance', lateMs: null }]);
}, 300_000);

describe('T5b: the heartbeat carries out what cron cannot know of', () => {
  const later = (wall: ManualClock, ms: number) => wall.set((wall.now() + ms) as Instant);
  const put = (body: object) => bank.control('PUT', '/sandbox/clock', body);
  const morning = '2027-04-12T09:00:00.000+02:00';
  type Alarmed = [string, start: string, run: string, lateMs: number, pass: (wall: ManualClock) => unknown];
  test.each<Alarmed>([
    [
      'a clock that is set while running',
      morning,
      '2027-04-12T09:30:00.000+02:00',
      0,
      async (wall) => {
        await put({ now: '2027-04-12T09:29:58+02:00' });
        later(wall, 2_000);
      },
    ],
    [
      'a rate of 60',
      morning,
      '2027-04-12T09:30:00.000+02:00',
      0,
      async (wall) => {
        await put({ rate: 60 });
        later(wall, 30_000);
      },
    ],
    [
      'the end of summer time',
      '2027-10-30T12:00:00.000+02:00',
      '2027-11-01T05:30:00.000+01:00',
      1_000,
      (wall) => later(wall, 42.5 * 3_600_000 + 1_000),
    ],
    [
      'a sleep of three hours',
      morning,
      '2027-04-12T09:30:00.000+02:00',
      2.5 * 3_600_000,
      (wall) => wall.jump(3 * 3_600_000),
    ],
  ])('%s', async (_, start, run, lateMs, pass) => {
    const wall = manualClock(at(start));
    bank = await startTestBank(start, ['--clock-mode', 'running'], { wall, heartbeat: 20 });
    await paySigned(bank.bank, { from: 'nora', to: 'even', amount: '10.00' });
    await pass(wall);
    expect(await firstRun(run)).toMatchObject({ at: run, settled: 1, trigger: 'heartbeat', lateMs });
  });
});

test('T5b: for a second after its instant the heartbeat leaves a run to cron; a request that finds it carries it out', async () => {
  const [run, morning] = ['2027-04-12T09:30:00.000+02:00', '2027-04-12T09:29:00.000+02:00'];
  const wall = manualClock(at(morning));
  bank = await startTestBank(morning, ['--clock-mode', 'running'], { wall, heartbeat: 20 });
  await paySigned(bank.bank, { from: 'nora', to: 'even', amount: '10.00' });
  wall.set(at('2027-04-12T09:30:00.999+02:00'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { runs } = (await bank.control('GET', '/sandbox/runs')).body;
  expect(runs).toEqual([]);
  await bank.signed('GET', '/v1/accounts');
  expect(await firstRun(run)).toMatchObject({ at: run, settled: 1, trigger: 'heartbeat', lateMs: 999 });
});
