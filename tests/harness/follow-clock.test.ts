/** @jest-environment node */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { connectBank, createBank, followClock } from '../../api/harness/index.ts';
import type { Bank } from '../../api/harness/types/index.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { cpuTimeDuring, leastCpuTime } from '../support/cpu-time.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nora, stranger } from './harness-bank.ts';

/* followClock: the fake clock of a test goes with the clock of the bank (docs/one-clock.md). */

const start = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();
const shown = (): string => new Date().toISOString();
let bank: Bank;
let server: TestBank | null;
afterEach(async () => {
  jest.useRealTimers();
  await bank.close();
  await server?.stop();
});

const kinds = [
  ['createBank', async () => createBank({ now: start })],
  [
    'connectBank',
    async () => {
      server = await startTestBank(start, ['--follow-clock=1']);
      return connectBank(server.address);
    },
  ],
] as const;

describe.each(kinds)('T1e: followClock with %s', (_kind, open) => {
  beforeEach(async () => {
    server = null;
    jest.useFakeTimers();
    bank = await open();
  });

  test('after each move Date is the time of the bank', async () => {
    await followClock(bank, jest);
    expect(shown()).toBe('2027-03-24T11:00:00.000Z');
    await bank.snapshot();
    await bank.clock.advance('2027-03-31');
    expect(shown()).toBe('2027-03-30T22:00:00.000Z');
    await bank.clock.advance('P1D');
    expect(shown()).toBe('2027-03-31T22:00:00.000Z');
    await bank.clock.set({ now: '2027-04-05T10:00:00+02:00' });
    expect(shown()).toBe('2027-04-05T08:00:00.000Z');
    await bank.restore();
    expect(shown()).toBe('2027-03-24T11:00:00.000Z');
    await bank.clock.advance({ runs: 2 });
    expect(shown()).toBe('2027-03-24T14:30:00.000Z');
    await bank.reset();
    expect(shown()).toBe('2027-03-24T11:00:00.000Z');
  });

  test('signs by it, and the bank accepts it at each stop', async () => {
    await followClock(bank, jest);
    const tpp = bank.tpp();
    const payment = await tpp.pay({ from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' });
    const { reached } = await bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
    expect([reached, shown()]).toEqual([true, '2027-03-30T03:30:00.000Z']);
    expect((await tpp.fetch('/v1/nowhere')).status).toBe(404);
  });

  test('timers fire in their order at their time, between the runs before and after, and the bank is at that time', async () => {
    await followClock(bank, jest);
    const paid = await bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' });
    const calls: Promise<string>[] = [];
    const note = (name: string): void => {
      const date = shown();
      calls.push(
        Promise.all([bank.clock.now(), bank.payments(paid)]).then(
          ([now, { status }]) => `${name} ${date} ${now} ${status}`,
        ),
      );
    };
    const at = (time: string): number => Date.parse(time) - Date.now();
    setTimeout(() => note('after'), at('2027-03-30T05:30:01+02:00'));
    setTimeout(() => note('same'), at('2027-03-30T05:30:00+02:00'));
    setTimeout(() => note('before'), at('2027-03-30T05:29:59+02:00'));
    const every = setInterval(() => note('daily'), 86_400_000);
    const { from, to, runs } = await bank.clock.advance('2027-03-31');
    clearInterval(every);
    const ids = runs.map(({ id }) => id).join();
    expect([from, to, ids]).toEqual([
      '2027-03-24T12:00:00.000+01:00',
      '2027-03-31T00:00:00.000+02:00',
      '2027-03-30/1,2027-03-30/2',
    ]);
    expect(await Promise.all(calls)).toEqual([
      'daily 2027-03-25T11:00:00.000Z 2027-03-25T12:00:00.000+01:00 ACSP',
      'daily 2027-03-26T11:00:00.000Z 2027-03-26T12:00:00.000+01:00 ACSP',
      'daily 2027-03-27T11:00:00.000Z 2027-03-27T12:00:00.000+01:00 ACSP',
      'daily 2027-03-28T11:00:00.000Z 2027-03-28T13:00:00.000+02:00 ACSP',
      'daily 2027-03-29T11:00:00.000Z 2027-03-29T13:00:00.000+02:00 ACSP',
      'before 2027-03-30T03:29:59.000Z 2027-03-30T05:29:59.000+02:00 PDNG',
      'same 2027-03-30T03:30:00.000Z 2027-03-30T05:30:00.000+02:00 ACSC',
      'after 2027-03-30T03:30:01.000Z 2027-03-30T05:30:01.000+02:00 ACSC',
      'daily 2027-03-30T11:00:00.000Z 2027-03-30T13:00:00.000+02:00 ACSC',
    ]);
  });

  test('a move by runs stops at timers too; a move that the bank refuses moves nothing', async () => {
    await followClock(bank, jest);
    const fired: string[] = [];
    setTimeout(() => fired.push(shown()), 3_600_000);
    setTimeout(() => fired.push(shown()), 86_400_000);
    const { runs, skippedEmptyRuns } = await bank.clock.advance({ runs: 2 });
    expect([runs, skippedEmptyRuns, shown(), fired]).toEqual([
      [],
      2,
      '2027-03-24T14:30:00.000Z',
      ['2027-03-24T12:00:00.000Z'],
    ]);
    await expect(bank.clock.advance('2027-03-01')).rejects.toThrow('has passed');
    await expect(bank.clock.advance('P3Q')).rejects.toThrow();
    await expect(bank.clock.advance({ runs: 0 })).rejects.toThrow();
    expect([shown(), fired.length]).toEqual(['2027-03-24T14:30:00.000Z', 1]);
  });

  test('Date alone: the timers are real', async () => {
    jest.useRealTimers();
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'setInterval', 'queueMicrotask', 'performance', 'hrtime'],
    });
    await followClock(bank, jest);
    await bank.clock.advance('P3D');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(shown()).toBe('2027-03-27T11:00:00.000Z');
  });

  test('what moves the bank otherwise is followed too, until it ends', async () => {
    const end = await followClock(bank, jest);
    const elsewhere = async (by: string) => {
      const asked = { method: 'POST', body: { by } } as const;
      expect((await bank.fetch('/sandbox/clock/advance', asked)).status).toBe(200);
    };
    await elsewhere('P1D');
    for (let turn = 0; turn < 500 && shown() < '2027-03-25T11'; turn += 1) await bank.clock.now();
    expect(shown()).toBe('2027-03-25T11:00:00.000Z');
    end();
    await elsewhere('P1D');
    await bank.clock.now();
    expect(shown()).toBe('2027-03-25T11:00:00.000Z');
  });

  test('what a timer throws is thrown by the move', async () => {
    await followClock(bank, jest);
    setTimeout(() => {
      throw new RangeError('from the timer');
    }, 1_000);
    await expect(bank.clock.advance('P1D')).rejects.toThrow('from the timer');
    await bank.clock.advance('P1D');
  });

  test('bad input: no fake clock, no timers, a running clock', async () => {
    jest.useRealTimers();
    jest.spyOn(console, 'warn').mockReturnValue();
    await expect(followClock(bank, jest)).rejects.toThrow(
      'followClock moves the fake clock of the test, and Date is not faked: call jest.useFakeTimers(), vi.useFakeTimers() or mock.timers.enable() first.',
    );
    jest.restoreAllMocks();
    await expect(followClock(bank, {} as typeof jest)).rejects.toThrow('followClock takes jest, vi or mock.timers');
    await expect(followClock({} as Bank, jest)).rejects.toThrow(
      'followClock takes a bank of createBank or connectBank',
    );
    jest.useFakeTimers();
    const standsStill = 'followClock follows a clock that stands still';
    await bank.clock.set({ mode: 'running' });
    await expect(followClock(bank, jest)).rejects.toThrow(standsStill);
    await bank.clock.set({ mode: 'frozen' });
    await followClock(bank, jest);
    await expect(bank.clock.set({ mode: 'running' })).rejects.toThrow(standsStill);
  });
});

test('T1e: followClock with a server by the wall clock: one sentence', async () => {
  server = await startTestBank(start);
  bank = await connectBank(server.address);
  jest.useFakeTimers();
  await expect(followClock(bank, jest)).rejects.toThrow(
    `followClock: ${server.address} goes by the wall clock. Start it with --follow-clock.`,
  );
});

test('T1c: without followClock a TPP of connectBank signs by the time of the bank', async () => {
  server = await startTestBank(start, ['--follow-clock=1']);
  bank = await connectBank(server.address);
  await bank.clock.advance('P1Y');
  expect((await bank.tpp().fetch('/v1/nowhere')).status).toBe(404);
});

test('T1e: the ledger is that of one move, with what lives booked', async () => {
  server = null;
  const made = () => createBank({ now: start, idSeed: 'lives', life: { '09232911044': 'student' } });
  const hashOf = async (of: Bank): Promise<unknown> => (await of.fetch('/sandbox/ledger/hash')).json();
  const plain = await made();
  const { lives = [] } = await plain.clock.advance('P1M');
  const hash = await hashOf(plain);
  await plain.close();
  bank = await made();
  jest.useFakeTimers();
  await followClock(bank, jest);
  const every = setInterval(() => undefined, 7 * 86_400_000);
  const told = await bank.clock.advance('P1M');
  clearInterval(every);
  const count = (of: typeof lives): number => of.reduce((all, life) => all + life.count, 0);
  expect([await hashOf(bank), count(told.lives ?? [])]).toEqual([hash, count(lives)]);
});

test('T1e: a worker of each ten minutes costs a bank of the test one or two ms of the processor a time', async () => {
  jest.useFakeTimers();
  bank = await createBank({ now: start });
  await followClock(bank, jest);
  let times = 0;
  const worker = setInterval(() => (times += 1), 600_000);
  const least = await leastCpuTime(3, () => cpuTimeDuring(() => bank.clock.advance('P2D')));
  clearInterval(worker);
  // The night to 28 March has an hour less.
  expect(times).toBe(3 * 288 - 6);
  expect(least / 288).toBeLessThan(2.5);
}, 60_000);

test.each([
  ['a trial', 'leap-day'],
  ['a world', 'status-lag+leap-day+gateway@GET/accounts'],
])('T1e: under %s of the gauntlet the clock is followed too', async (_what, trial) => {
  server = null;
  const file = join(folder, 'trial.json');
  writeFileSync(file, JSON.stringify({ version: 1, trial, late: 'PT0.1S' }));
  process.env['SANDBANK_TRIAL'] = file;
  try {
    bank = await createBank();
  } finally {
    delete process.env['SANDBANK_TRIAL'];
  }
  jest.useFakeTimers();
  await followClock(bank, jest);
  const begun = Date.now();
  expect([shown().slice(4, 8), shown()]).toEqual(['-02-', new Date(await bank.clock.now()).toISOString()]);
  await bank.clock.advance('P1D');
  expect([Date.now() - begun, (await bank.tpp().fetch('/v1/nowhere')).status]).toEqual([86_400_000, 404]);
});

describe('T1e: followClock through a proxy that has no stream of events, or ends it', () => {
  /** What it answers in place of the clock: a status and a page. */
  let broken: readonly [status: number, page: string] | null = null;
  let proxy: Server | null = null;
  afterEach(() => void proxy?.close());

  /** A server before the bank that answers the stream of events itself, and does not tell the clock while it is `broken`. */
  async function behind(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
    server = await startTestBank(start, ['--follow-clock=1']);
    const { address } = server;
    proxy = createServer((request, response) => {
      if (request.url === '/sandbox/events') return void answer(request, response);
      if (request.url === '/sandbox/clock' && broken) return void response.writeHead(broken[0]).end(broken[1]);
      const { method, headers } = request;
      const passed = httpRequest(`${address}${request.url}`, { method, headers }, (back) => {
        response.writeHead(back.statusCode ?? 500, back.headers);
        back.pipe(response);
      });
      request.pipe(passed);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    bank = await connectBank(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    jest.useFakeTimers();
  }

  test('an answer other than 200 is refused in one sentence', async () => {
    await behind((_request, response) => void response.writeHead(503).end('no'));
    await expect(followClock(bank, jest)).rejects.toThrow(
      /^followClock: http:\/\/127\.0\.0\.1:\d+ answered 503 and no events\.$/,
    );
  });

  test('a time that nobody told is told by the move, and the next move is followed', async () => {
    await behind((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    });
    await followClock(bank, jest);
    for (broken of [
      [502, 'no'],
      [502, '{"message":"no"}'],
      [200, '<p>no'],
    ] as const) {
      const [status, page] = broken;
      const message = `/sandbox/clock answered ${status}: ${page}`;
      await expect(bank.clock.advance('P1D')).rejects.toMatchObject({ name: 'BankError', status, message });
    }
    broken = null;
    const fired: string[] = [];
    setTimeout(() => fired.push(shown()), 60_000);
    await bank.clock.advance('P1D');
    // Where the server has begun its cron, a timer waits: then a move asks for the clock before it does anything.
    expect([fired.length, shown()]).toEqual([1, new Date(await bank.clock.now()).toISOString()]);
    expect(shown() > '2027-03-25').toBe(true);
  });

  test('a stream that ends is told by the next call, once', async () => {
    let stream: ServerResponse | null = null;
    await behind((_request, response) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    });
    await followClock(bank, jest);
    await bank.clock.advance('P1D');
    (stream as ServerResponse | null)?.destroy();
    jest.useRealTimers();
    await new Promise((done) => setTimeout(done, 100));
    jest.useFakeTimers();
    await expect(bank.clock.advance('P1D')).rejects.toThrow(
      /^followClock: the events of .* have ended: call it again\.$/,
    );
    await bank.clock.advance('P1D');
  });
});
