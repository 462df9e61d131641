import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { ControlCall } from '../../../api/control/control-endpoint.ts';
import type { Events } from '../../../api/control/event-stream.ts';
import { EventLog } from '../../../api/control/events/event-log.ts';
import { eventsEndpoint } from '../../../api/control/events/events.ts';
import { clientLimits, type ClientLimits } from '../../../api/hosting/http-server.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { readConfig } from '../../../api/start/config.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { memoryBank } from '../../lab/bank.ts';
import { shortestWait } from '../../support/cpu-time.ts';
import { EventClient } from '../../lab/event-client.ts';
import { eveningBefore, fillLarge, largeCount } from '../../support/large-run.ts';
import { TestBank } from '../../lab/server.ts';

/* Event streams that stay open: many, slow ones, and those whose bank or server ends. Real sockets against a real server. */

const now = '2027-03-24T12:00:00+01:00';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(flags: readonly string[] = [], limits: Partial<ClientLimits> = {}): Promise<TestBank> {
  const fixed = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', '--clock-mode', 'frozen'];
  const config = readConfig({}, [...fixed, ...(flags.includes('--clock-now') ? [] : ['--clock-now', now]), ...flags]);
  const server = await startServer(config, systemClock, { limits: { ...clientLimits, ...limits } });
  ends.push(() => server.stop());
  return new TestBank(server.address, server.bank, server.stop);
}

async function follow(address: string, headers?: Record<string, string>): Promise<EventClient> {
  const client = await EventClient.open(address, undefined, headers);
  ends.push(() => client.close());
  return client;
}

/** A connection that asked for the stream and reads nothing. */
async function unread({ address }: TestBank, path = ''): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  ends.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path}/sandbox/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

function tell({ tell }: Pick<Bank, 'tell'>, from: number, count: number): void {
  for (let rate = from; rate < from + count; rate += 1) {
    tell({ kind: 'clock', at: 0 as Instant, change: 'set', mode: 'frozen', rate });
  }
}

/** The servers' ends of the connections of a test. */
const serverEnds = new Set<Socket>();
const keepEnd = (message: unknown): void => void serverEnds.add((message as { readonly socket: Socket }).socket);
subscribe('net.server.socket', keepEnd);
afterAll(() => void unsubscribe('net.server.socket', keepEnd));
afterEach(() => serverEnds.clear());

/** Tells events until a client's connection takes no more, and so many thousand after that; how many there were. */
async function overrun(bank: TestBank, thousandsAfter = 0): Promise<number> {
  const each = 1_000;
  let told = 0;
  for (let after = 0; after <= thousandsAfter;) {
    tell(bank.bank, 1 + told, each);
    told += each;
    for (let turn = 0; turn < 15; turn += 1) await setImmediate();
    if ([...serverEnds].some(({ writableNeedDrain }) => writableNeedDrain)) after += 1;
  }
  return told;
}

describe('a reader that is slow', () => {
  test('misses what it is too late for: one reset, and the stream goes on', async () => {
    const bank = await start();
    const socket = await unread(bank);
    const told = await overrun(bank, 30);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (text += part));
    while (!text.includes('events missed')) await once(socket, 'data');
    tell(bank.bank, 1_000_000, 1);
    while (!text.includes('"rate":1000000,')) await once(socket, 'data');
    const events = [...text.matchAll(/id: [0-9a-f]+-(\d+)\nevent: (\w+)/g)].map(([, id, name]) => [Number(id), name]);
    const reset = events.findIndex(([, name]) => name === 'reset');
    expect(events.slice(0, reset)).toEqual(Array.from({ length: reset }, (_, index) => [index + 1, 'clock']));
    expect(events.slice(reset)).toEqual([
      [told, 'reset'],
      [told + 1, 'clock'],
    ]);
    expect(reset).toBeLessThan(told - 20_000);
  }, 30_000);

  test('is cut off when it reads nothing, and holds no place afterwards', async () => {
    const bank = await start([], { unread: 500, look: 50 });
    await unread(bank);
    await overrun(bank);
    await Promise.all(Array.from({ length: 99 }, () => follow(bank.address)));
    let last = await follow(bank.address);
    while (last.answer.status === 503) last = await follow(bank.address);
    expect(last.answer.status).toBe(200);
  }, 30_000);

  test('keeps 20,000 events at most from being forgotten, and these only as long as it is there', async () => {
    const bank = await memoryBank(now);
    ends.push(() => bank.close());
    const log = new EventLog(bank, () => undefined);
    const isKept = (number: number) => log.textsAfter(number - 1, 1) !== null;
    tell(bank, 1, 1_500);
    expect([isKept(500), isKept(501)]).toEqual([false, true]);
    const slow = new AbortController();
    log.read(log.last, slow);
    tell(bank, 1_501, 20_000);
    expect([isKept(1_500), isKept(1_501)]).toEqual([false, true]);
    tell(bank, 21_501, 1);
    expect([isKept(1_501), isKept(1_502)]).toEqual([false, true]);
    slow.abort();
    expect([isKept(20_501), isKept(20_502), log.readers]).toEqual([false, true, 0]);
  });
});

test('a quiet stream has a comment every 20 s, which is no event', async () => {
  const bank = await memoryBank(now);
  ends.push(() => bank.close());
  const stream = new AbortController();
  const texts = new EventLog(bank, () => undefined).read(0, stream, 20);
  const first = [await texts.next(), await texts.next(), await texts.next()].map(({ value }) => String(value));
  expect(first).toEqual([expect.stringMatching(/^retry: 1000\nid: [0-9a-f]{12}-0\n\n$/), ':\n\n', ':\n\n']);
  tell(bank, 1, 1);
  expect((await texts.next()).value).toContain('event: clock');
  stream.abort();
  expect(await texts.next()).toEqual({ done: true, value: undefined });
});

test('a stream that ends before its client waits for events ends at once', async () => {
  const bank = await memoryBank(now);
  ends.push(() => bank.close());
  const stream = new AbortController();
  const texts = new EventLog(bank, () => undefined).read(0, stream, 600_000);
  await texts.next();
  const next = texts.next();
  stream.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('a client that is gone before its stream begins takes no place', async () => {
  const bank = await memoryBank(now);
  ends.push(() => bank.close());
  const log = new EventLog(bank, () => undefined);
  const stream = new AbortController();
  stream.abort();
  const texts = log.read(0, stream, 600_000);
  expect(log.readers).toBe(0);
  await texts.next();
  expect(await texts.next()).toEqual({ done: true, value: undefined });
});

test('a stream that fails is ended, and holds no place afterwards', async () => {
  const bank = await memoryBank(now);
  ends.push(() => bank.close());
  const log = new EventLog(bank, () => undefined);
  log.prepare = () => Promise.reject(new Error('no key'));
  const stream = new AbortController();
  const events: Events = { lastId: null, stream, send: () => undefined, write: () => Promise.resolve() };
  const { tell } = eventsEndpoint(log, new AbortController().signal);
  await expect(tell?.({} as ControlCall, events)).rejects.toThrow('no key');
  expect([stream.signal.aborted, log.readers]).toEqual([true, 0]);
});

test('a run of 10,000 payments reaches a live reader whole and in order, and others are answered meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-streams-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'nobody.json');
  writeFileSync(file, JSON.stringify({ customers: [], agreements: [] }));
  const bank = await start(['--fixtures', file, '--clock-now', eveningBefore]);
  await fillLarge(bank.bank);
  const client = await follow(bank.address);
  let answers = 0;
  let isOver = false;
  const advanced = bank.control('POST', '/sandbox/clock/advance', { runs: 1 }).finally(() => (isOver = true));
  while (!isOver || client.events.at(-1)?.event !== 'clock') {
    await fetch(`${bank.address}/health`);
    answers += 1;
    if (isOver && client.events.length >= 2 * largeCount) break;
  }
  expect((await advanced).body.runs[0].settled).toBe(largeCount);
  const events = await client.until((all) => all.at(-1)?.event === 'clock' && all.at(-2)?.event === 'run');
  const settled = events.filter(({ data }) => data.status === 'ACSC').map(({ data }) => data.paymentId);
  expect([settled.length, new Set(settled).size]).toEqual([largeCount, largeCount]);
  expect(events.map(({ id }) => Number(id.split('-')[1]))).toEqual(events.map((_, index) => index + 1));
  expect(answers).toBeGreaterThan(3);
}, 60_000);

describe('a stream ends', () => {
  test('when the server stops, at once, also one that is not read', async () => {
    const streamsEnd: (() => Promise<void>)[] = [];
    const stop = async () => {
      const bank = await start();
      await bank.control('POST', '/sandbox/banks', { name: 'one' });
      const client = await follow(`${bank.address}/banks/one`);
      const socket = await unread(bank);
      const closed = once(socket, 'close');
      await overrun(bank);
      streamsEnd.push(async () => {
        await client.until(() => client.isOver);
        socket.resume();
        await closed;
      });
      return () => bank.stop();
    };
    // Open requests get a second to finish: the streams are none of them.
    expect(await shortestWait(900, stop)).toBeLessThan(900);
    for (const streamEnds of streamsEnd) await streamEnds();
  }, 60_000);

  test('when its named bank is deleted; that of another goes on', async () => {
    const bank = await start();
    for (const name of ['one', 'two']) await bank.control('POST', '/sandbox/banks', { name });
    const [one, two] = [await follow(`${bank.address}/banks/one`), await follow(`${bank.address}/banks/two`)];
    await bank.control('PUT', '/banks/one/sandbox/clock', { rate: 2 });
    await one.until((events) => events.length === 1);
    const socket = await unread(bank, '/banks/one');
    const closed = once(socket, 'close');
    expect((await bank.control('DELETE', '/sandbox/banks/one')).status).toBe(200);
    await one.until(() => one.isOver);
    socket.resume();
    await closed;
    await bank.control('PUT', '/banks/two/sandbox/clock', { rate: 3 });
    expect(await two.until((events) => events.length > 0)).toMatchObject([{ data: { rate: 3 } }]);
    // A bank of the same name is another one.
    await bank.control('POST', '/sandbox/banks', { name: 'one' });
    const again = await EventClient.open(`${bank.address}/banks/one`, one.lastId);
    ends.push(() => again.close());
    expect(await again.until((events) => events.length > 0)).toMatchObject([{ event: 'reset' }]);
  });
});

describe('V3: who may follow', () => {
  test('a hundred clients of a bank; one more is 503 until there is room', async () => {
    const bank = await start();
    const clients = await Promise.all(Array.from({ length: 100 }, () => follow(bank.address)));
    const { status, headers, body } = await bank.raw('GET', '/sandbox/events');
    expect({ status, type: headers.get('content-type'), allowed: body.allowed }).toEqual({
      status: 503,
      type: 'application/problem+json; charset=utf-8',
      allowed: { streams: '100' },
    });
    await bank.control('PUT', '/sandbox/clock', { rate: 2 });
    for (const client of clients) await client.until((events) => events.length === 1);
    clients[0]?.close();
    let again = await follow(bank.address);
    while (again.answer.status === 503) again = await follow(bank.address);
    expect(again.answer.status).toBe(200);
  }, 20_000);

  test('who has the control token, where there is one, from a page of the bank', async () => {
    const bank = await start(['--control-token', 'a-token-of-our-own']);
    expect((await bank.raw('GET', '/sandbox/events')).status).toBe(401);
    const right = { authorization: 'Bearer a-token-of-our-own' };
    const foreign = { ...right, origin: 'https://elsewhere.example' };
    expect((await bank.raw('GET', '/sandbox/events', foreign)).status).toBe(403);
    expect((await follow(bank.address, right)).answer.status).toBe(200);
  });

  test.each(['text/event-stream', '*/*', 'text/*', 'application/json, text/event-stream;q=0.5'])(
    'who accepts %s',
    async (accept) => {
      const { address } = await start();
      const { answer } = await follow(address, { accept });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    },
  );

  test.each(['application/json', 'text/html', 'text/event-stream;q=0'])(
    'not who accepts %s alone: 406',
    async (accept) => {
      const { status, body } = await (await start()).raw('GET', '/sandbox/events', { accept });
      expect([status, body.allowed]).toEqual([406, ['text/event-stream']]);
    },
  );

  test('not by another method, nor with a filter', async () => {
    const { address } = await start();
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${address}/sandbox/events`, { method, headers });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET']);
    }
    expect((await fetch(`${address}/sandbox/events?kind=run`)).status).toBe(400);
  });
});
