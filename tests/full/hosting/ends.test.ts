import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../api/start/config.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { systemClock, type WallClock } from '../../../engine/time/clock.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { memoryBank } from '../../lab/bank.ts';
import { shortestWait } from '../../support/cpu-time.ts';
import { freePort } from '../../support/free-port.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { order, sign } from '../../lab/payments.ts';
import { program } from '../../support/program.ts';

/* How a server in a process of its own ends: told to, in whatever it does, or by a fault. */

const daily = { startDate: localDate('2027-03-25'), frequency: 'Daily' } as const;
let folder: string;
let flags: string[];
let child: ChildProcess | undefined;
let said = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-end-'));
  flags = ['--ledger', join(folder, 'ledger.sqlite'), '--port', '0'];
  said = '';
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly ended: Promise<unknown[]>;
  readonly address: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

function start(more: readonly string[] = [], node: readonly string[] = []): Started {
  const started = spawn(process.execPath, [...node, program, ...flags, ...more], { env: {} });
  child = started;
  for (const output of [started.stdout, started.stderr]) output.on('data', (chunk) => (said += String(chunk)));
  const address = greetedAddress(started.stdout);
  address.catch(() => undefined);
  return { ended: once(started, 'close'), address, kill: (signal) => void started.kill(signal) };
}

function wallOf(years: number): WallClock {
  return { ...systemClock, now: () => (systemClock.now() - years * 365 * 86_400_000) as Instant };
}

/** A ledger with a payment for each day, on a clock that ran `years` ago by the wall clock and stopped there. */
async function layLedger(years: number, more: readonly string[]): Promise<void> {
  const all = [...flags, '--log-level', 'silent', '--clock-now', '2027-03-24T12:00:00+01:00', ...more];
  const server = await startServer(readConfig({}, all), wallOf(years));
  const { payment } = await order(server.bank, { from: 'nora', to: 'even', amount: '1.00' }, daily);
  await sign(server.bank, payment.resource_id, 'nora');
  await server.stop();
}

/** The instant of the ledger's last run, and whether its books are right: a bank alone carries out no run. */
async function ledgerAfterwards(): Promise<readonly [lastRun: string, ok: boolean]> {
  const bank = await memoryBank('2027-03-24T12:00:00+01:00', { ledger: join(folder, 'ledger.sqlite') });
  try {
    const { lastRun } = await readClock(bank);
    return [formatInstant(lastRun.at), (await proveLedger(bank)).ok];
  } finally {
    await bank.close();
  }
}

test('a server goes on when nobody reads its output any more', async () => {
  const { address } = start(['--log-level', 'info']);
  const ready = new URL('/ready', await address);
  for (const output of [child?.stdout, child?.stderr]) output?.destroy();
  for (let request = 0; request < 5; request += 1) expect((await fetch(ready)).status).toBe(200);
  expect(child?.exitCode).toBeNull();
});

describe('told to end', () => {
  test('while it starts: a catch-up ends between two runs, and goes on with the next start', async () => {
    await layLedger(9, []);
    const port = await freePort();
    const { ended, kill } = start(['--port', String(port)]);
    while (
      !(await fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      ))
    );
    kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toBe('');
    const [lastRun, ok] = await ledgerAfterwards();
    expect([lastRun > '2027-03-24' && lastRun < '2036-01-01', ok]).toEqual([true, true]);
  }, 30_000);

  test('again and again, while it advances: once is enough, and more does no harm', async () => {
    await layLedger(0, ['--clock-mode', 'frozen']);
    const { ended, address, kill } = start();
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const answer = await fetch(`${await address}/sandbox/clock/advance`, {
      method: 'POST',
      headers,
      body: '{"by":"P9Y"}',
    });
    // At the very end of a process, when it has nothing left to do, a signal finds no listener.
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) kill(signal);
    await answer.text().catch(() => 'cut off');
    expect(await ended).toEqual([0, null]);
    expect(await ledgerAfterwards()).toEqual([expect.stringMatching(/^20(2[7-9]|3\d)-/), true]);
  }, 30_000);

  test('with 500 open connections of every kind: within two seconds', async () => {
    const texts = ['', 'GET /', 'POST /v1/consents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'];
    const asked = 'GET /sandbox/info HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const sockets: Socket[] = [];
    const stop = async () => {
      const { ended, address, kill } = start(['--log-level', 'error']);
      const { port } = new URL(await address);
      await Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const socket = connect(Number(port), '127.0.0.1');
          sockets.push(socket);
          socket.on('error', () => undefined);
          await once(socket, 'connect');
          socket.write([...texts, asked][index % 4] ?? '');
          socket.pause();
        }),
      );
      await fetch(`${await address}/health`);
      return async () => {
        kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
      };
    };
    expect(await shortestWait(2_000, stop)).toBeLessThan(2_000);
    expect(said).not.toContain('"level"');
    for (const socket of sockets) socket.destroy();
  }, 90_000);
});

test.each([
  ['an exception', 'throw new Error("boom")'],
  ['a rejection that nobody handles', 'void Promise.reject(new Error("boom"))'],
])(
  '%s outside every request is one log line, and the end',
  async (_what, fault) => {
    const preload = `data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(fault)}})`;
    const { ended, address, kill } = start([], ['--import', preload]);
    await address;
    kill('SIGUSR2');
    expect(await ended).toEqual([1, null]);
    const lines = said.trim().split('\n').slice(6);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'fatal', err: { message: 'boom' } });
  },
  30_000,
);
