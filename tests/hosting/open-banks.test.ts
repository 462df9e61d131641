import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { NamedBank } from '../../api/hosting/named-bank.ts';
import { memoryOfProcess, openBanksIn, OpenBanks } from '../../api/hosting/open-banks.ts';
import { readConfig } from '../../api/start/config.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { databasesOf } from '../support/count-statements.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00+01:00';
let server: TestBank | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** How many of so many named banks a second round of requests finds open: those that have the database of the first round. */
async function foundOpen(banks: number, flags: readonly string[]): Promise<number> {
  const bank = await startTestBank(now, flags);
  server = bank;
  const names = Array.from({ length: banks }, (_, index) => `bank-${index}`);
  for (const name of names) await bank.control('POST', '/sandbox/banks', { name });
  const asked = (name: string) => databasesOf(() => bank.control('GET', `/banks/${name}/sandbox/clock`));
  const before: Awaited<ReturnType<typeof asked>>[] = [];
  for (const name of names) before.push(await asked(name));
  let open = 0;
  for (const [index, name] of names.entries()) {
    const databases = await asked(name);
    if ([...databases].some((one) => before[index]?.has(one) === true)) open += 1;
  }
  return open;
}

test('banks that are used in turn stay open', async () => {
  expect(await foundOpen(50, [])).toBe(50);
}, 60_000);

test('--open-banks: so many stay open, and of more that are used in turn none', async () => {
  expect(await foundOpen(3, ['--open-banks', '3'])).toBe(3);
  await server?.stop();
  expect(await foundOpen(4, ['--open-banks', '3'])).toBe(0);
}, 60_000);

/** A server whose steady clock the test moves. `open`: how many banks are open, the one at the root too. */
async function watched() {
  const steady = { ms: 0 };
  const wall = { now: systemClock.now, monotonic: () => steady.ms };
  const bank = await startTestBank(now, ['--control-token', 'a-token-of-sixteen'], { heartbeat: 10, wall });
  server = bank;
  const ask = (method: string, path: string) => bank.raw(method, path, { authorization: 'Bearer a-token-of-sixteen' });
  const open = async () => {
    const { body } = await ask('GET', '/metrics');
    return Number(/^sandbank_open_banks (\d+)$/m.exec(body)?.[1]);
  };
  return { steady, ask, open };
}

test('a bank that nobody has used for a minute is suspended, and not before', async () => {
  const { steady, ask, open } = await watched();
  for (const name of ['used', 'left']) expect((await ask('PUT', `/sandbox/banks/${name}`)).status).toBe(201);
  const use = (name: string) => ask('GET', `/banks/${name}/sandbox/clock`);
  await use('left');
  await use('used');
  expect(await open()).toBe(3);
  steady.ms = 59_999;
  await setTimeout(100);
  expect(await open()).toBe(3);
  await use('used');
  steady.ms = 60_000;
  for (let tries = 0; (await open()) === 3 && tries < 500; tries += 1) await setTimeout(10);
  expect(await open()).toBe(2);
}, 60_000);

test('a client that is gone before its bank has opened leaves the bank unused', async () => {
  const { steady, ask, open } = await watched();
  const suspended = async () => {
    for (let tries = 0; tries < 10 || ((await open()) !== 1 && tries < 100); tries += 1) {
      steady.ms += 60_000;
      await setTimeout(20);
    }
    return open();
  };
  expect((await ask('PUT', '/sandbox/banks/left')).status).toBe(201);
  expect(await suspended()).toBe(1);
  const leave = (message: unknown): void => {
    const { request, socket } = message as { readonly request: IncomingMessage; readonly socket: Socket };
    if (request.url?.startsWith('/banks/left/') === true) socket.destroy();
  };
  subscribe('http.server.request.start', leave);
  try {
    await expect(ask('GET', '/banks/left/sandbox/clock')).rejects.toThrow();
  } finally {
    unsubscribe('http.server.request.start', leave);
  }
  expect(await suspended()).toBe(1);
}, 60_000);

test('a bank in use is not suspended: neither for another one, nor after a minute', async () => {
  let monotonic = 0;
  const suspended: string[] = [];
  const wall = { ...systemClock, monotonic: () => monotonic };
  const open = new OpenBanks({ most: 2, wall, log: pino({ level: 'silent' }) });
  const done = () => Promise.resolve();
  const bankNamed = (name: string, isInUse: boolean) =>
    ({
      isRemoved: false,
      open: () => Promise.resolve({ checkLedger: done, tickForAWhile: done }),
      isInUse: () => Promise.resolve(isInUse),
      suspend: () => Promise.resolve(suspended.push(name)),
      keepState: done,
    }) as unknown as NamedBank;
  await open.open(bankNamed('busy', true));
  await open.open(bankNamed('idle', false));
  expect(suspended).toEqual([]);
  await open.open(bankNamed('new', false));
  expect(suspended).toEqual(['idle']);
  monotonic = 60_000;
  await open.tick('heartbeat');
  expect(suspended).toEqual(['idle', 'new']);
});

test('a bank that was removed while it opened does not count as open', async () => {
  const open = new OpenBanks({ most: 2, wall: systemClock, log: pino({ level: 'silent' }) });
  const removed = { isRemoved: true, open: () => Promise.resolve({}) } as unknown as NamedBank;
  await open.open(removed);
  expect(open.count).toBe(0);
});

test.each([
  [256, 16],
  [512, 32],
  [1_024, 96],
  [2_048, 224],
  [24_576, 3_040],
])('in %i MB %i banks stay open', (megabytes, banks) => {
  expect(openBanksIn(megabytes * 1024 * 1024)).toBe(banks);
});

test('the memory of a process is not more than that of its machine, nor than the limit of its container', () => {
  expect(memoryOfProcess()).toBeGreaterThan(64 * 1024 * 1024);
  expect(memoryOfProcess()).toBeLessThan(2 ** 50);
});

test.each(['0', '-1', '1001', '1e3', '3.5', 'many'])('--open-banks %s is refused', (value) => {
  expect(() => readConfig({}, [`--open-banks=${value}`])).toThrow(
    `--open-banks is "${value}": expected a number from 1 to 1000`,
  );
});

test('SANDBANK_OPEN_BANKS is the same, and empty without it', () => {
  expect(readConfig({ SANDBANK_OPEN_BANKS: '7' }, []).openBanks).toBe(7);
  expect(readConfig({}, []).openBanks).toBeNull();
});
