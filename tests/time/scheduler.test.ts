import { createHook } from 'node:async_hooks';
import { afterEach, expect, test } from '@jest/globals';
import { getTasks } from 'node-cron';
import { startScheduler, type Check } from '../../engine/time/scheduler.ts';
import { moveWall, RealDate, restoreWall } from '../support/moved-date.ts';

let scheduler: ReturnType<typeof startScheduler>;
afterEach(async () => {
  await scheduler.stop();
  restoreWall();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts with a wall clock that shows this, and returns after how many ms each beat came. */
function beatsFrom(wall: string, times: readonly string[], check: Partial<Check> = {}, interval?: number): number[] {
  moveWall(RealDate.parse(wall));
  const began = performance.now();
  const beats: number[] = [];
  const run: Check['run'] = async (alarm) => {
    beats.push(performance.now() - began);
    await check.run?.(alarm);
  };
  scheduler = startScheduler([{ run, failed: check.failed ?? (() => undefined) }], interval);
  scheduler.follow(times);
  return beats;
}

/** No heartbeat comes while a test runs: all beats are cron's. In ms. */
const never = 3_600_000;

/** However long a busy machine needs for it. Throws after 20 s. */
async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; !isSo(); look += 1) {
    if (look === 2_000) throw new Error('it did not come about');
    await wait(10);
  }
}

test('T5: a heartbeat comes each second, whatever the settlement times', async () => {
  const beats = beatsFrom('2027-04-12T12:00:00+02:00', ['15:30']);
  await until(() => beats.length >= 2);
  // Not before its time, of the ms of which the timers of Node round some.
  const [first = 0, second = 0] = beats;
  expect([first > 950, second > 1_950]).toEqual([true, true]);
});

test.each([
  ['in summer', '2027-04-12T05:29:59+02:00'],
  ['in winter', '2027-01-12T05:29:59+01:00'],
  ['on a closed day: what is closed is not its business', '2027-03-28T05:29:59+02:00'],
])('T5: cron calls at a settlement time of Oslo %s', async (_, wall) => {
  const beats = beatsFrom(wall, ['05:30', '09:30'], {}, never);
  await until(() => beats.length > 0);
  // Once, and not again.
  await wait(600);
  expect(beats).toHaveLength(1);
});

test('T5: cron calls, and prints nothing, when the wall clock jumped over its time', async () => {
  const printed: unknown[] = [];
  const { warn } = console;
  console.warn = (...what: unknown[]) => void printed.push(what);
  const beats = beatsFrom('2027-04-12T05:29:59+02:00', ['05:30'], {}, never);
  // Cron begins a moment after the start.
  await wait(300);
  // Not to a settlement time: that would be no miss.
  moveWall(Date.now() + 72 * 3_600_000 + 600_000);
  // Each of the three that it missed calls; those under way are not called again.
  await until(() => beats.length > 0);
  await wait(300);
  console.warn = warn;
  expect(printed).toEqual([]);
});

/** What a check waits for until the test lets it go on. */
function gate(): { readonly opened: Promise<undefined>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { opened: promise, open: () => resolve(undefined) };
}

test('a check is not called again while it is under way, and one that throws is off: the others go on', async () => {
  const told: string[] = [];
  const failed = (error: unknown): void => void told.push(String(error));
  const { opened, open } = gate();
  const slow = {
    run: () => {
      told.push('slow');
      return opened;
    },
    failed,
  };
  const bad = { run: () => Promise.reject(new Error('bad')), failed };
  const good = { run: () => void told.push('good'), failed };
  scheduler = startScheduler([slow, bad, good], 20);
  const times = (what: string): number => told.filter((one) => one === what).length;
  await until(() => times('good') >= 5);
  expect([times('Error: bad'), times('slow')]).toEqual([1, 1]);
  open();
  await until(() => times('slow') === 2);
  expect(times('Error: bad')).toBe(1);
});

test('T5b: cron calls at the times of a bank that is opened later; its call during a heartbeat follows that', async () => {
  const { opened, open } = gate();
  const alarms: string[] = [];
  const run: Check['run'] = (alarm) => {
    alarms.push(alarm);
    return alarm === 'heartbeat' ? opened : undefined;
  };
  beatsFrom('2027-04-12T05:29:59+02:00', ['09:30'], { run }, 300);
  await until(() => alarms.length > 0);
  scheduler.follow(['05:30']);
  await wait(1_200);
  expect(alarms).toEqual(['heartbeat']);
  open();
  await until(() => alarms.length > 1);
  expect(alarms.slice(0, 2)).toEqual(['heartbeat', 'cron']);
});

test('stopping waits for what is under way, and calls nothing after that', async () => {
  const { opened, open } = gate();
  const beats = beatsFrom('2027-04-12T12:00:00+02:00', ['15:30'], { run: () => opened }, 20);
  await until(() => beats.length > 0);
  let isStopped = false;
  const stopped = scheduler.stop().then(() => (isStopped = true));
  await wait(100);
  expect([isStopped, beats.length]).toEqual([false, 1]);
  open();
  await stopped;
  await wait(100);
  expect(beats.length).toBe(1);
});

test('T5: a time that two banks share has one task of cron, and none after the end', async () => {
  const before = getTasks().size;
  beatsFrom('2027-04-12T12:00:00+02:00', ['05:30', '09:30'], {}, never);
  await until(() => getTasks().size > before);
  scheduler.follow(['09:30', '11:30']);
  expect(getTasks().size - before).toBe(3);
  await scheduler.stop();
  expect(getTasks().size).toBe(before);
});

test('T5: no timer is left at the end', async () => {
  const timers = new Set<number>();
  let isStarting = true;
  const hook = createHook({
    init: (id, type) => void (isStarting && type === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  scheduler = startScheduler([], never);
  isStarting = false;
  expect(timers.size).toBe(2);
  await scheduler.stop();
  // Node tells of timers that ended in a later turn.
  await until(() => timers.size === 0).finally(() => hook.disable());
});

test('T5: a bank that ends before cron begins leaves no task of cron', async () => {
  const before = getTasks().size;
  scheduler = startScheduler([], never);
  scheduler.follow(['09:30']);
  await scheduler.stop();
  await wait(200);
  expect(getTasks().size).toBe(before);
});
