import { join } from 'node:path';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import { sql } from 'kysely';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { instant, openBenchBank } from './bench-bank.ts';
import { bookStatements, eveningBefore } from './book.ts';
import { type Figure, given, withTarget, median } from './figure.ts';
import { send } from './initiation-figures.ts';
import { freePort, startProcess, untilReady } from './server-process.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';

const targets = { back: 20, fuller: 3, year: 250, ofPost: 0.5, idleBanks: 300 };
const perDay = 10;
const days = 365;
const yearOn = '2028-04-13T16:00:00+02:00';

/** Restores and resets, a year with payments every day, and idle banks in one server. */
export async function timeMachineFigures(folder: string, scale: number): Promise<Figure[]> {
  return [...(await backFigures(folder, scale)), ...(await yearFigures()), ...(await idleFigures(1_000 / scale))];
}

async function backFigures(folder: string, scale: number): Promise<Figure[]> {
  const [few, many] = [1_000, 100_000 / scale];
  const small = await measureSnapshots(join(folder, 'few.sqlite'), few);
  const large = await measureSnapshots(join(folder, 'many.sqlite'), many);
  const inMemory = await measureSnapshots(':memory:', few);
  const largeInMemory = await measureSnapshots(':memory:', many);
  const line = (what: string, payments: number, ms: number, atMost: number): Figure =>
    withTarget(
      `${what}, ${payments.toLocaleString('en')} payments, 95th percentile`,
      { figure: `${ms.toFixed(1)} ms` },
      { by: ms, atMost, unit: ' ms' },
    );
  return (['reset', 'restore'] as const).flatMap((what) => [
    line(what, few, small[what], targets.back),
    line(what, many, large[what], targets.back * targets.fuller),
    line(`${what} in memory`, few, inMemory[what], targets.back),
    line(`${what} in memory`, many, largeInMemory[what], targets.back * targets.fuller),
  ]);
}

/**
 * Advances a year with ten payments due each day, in memory; in turns with empty POSTs, one for each payment: what a scenario would need
 * at least to settle them one by one. The first turn warms both up and is not counted.
 */
async function yearFigures(): Promise<Figure[]> {
  const turnsMeasured: { readonly year: number; readonly posts: number; readonly barePosts: number }[] = [];
  for (let turn = 0; turn <= yearTurns; turn += 1) {
    const measured = { year: await msOfYear(), posts: await msOfPosts(byExpress), barePosts: await msOfPosts(byNode) };
    if (turn > 0) turnsMeasured.push(measured);
  }
  const middle = (which: 'year' | 'posts' | 'barePosts'): number => median(turnsMeasured.map((each) => each[which]));
  const [ms, posts, barePosts] = [middle('year'), middle('posts'), middle('barePosts')];
  const what = `a year with ${perDay} payments a day, in memory`;
  return [
    withTarget(what, { figure: `${ms.toFixed(0)} ms` }, { by: ms, atMost: targets.year, unit: ' ms' }),
    withTarget(
      '  of an empty POST for each payment, by fetch to express',
      { figure: `${posts.toFixed(0)} ms`, ratio: `${(ms / posts).toFixed(2)} of the POSTs` },
      { by: ms / posts, atMost: targets.ofPost },
    ),
    given(
      '  the same, by node:http to node:http',
      `${barePosts.toFixed(0)} ms`,
      `${(ms / barePosts).toFixed(2)} of them`,
    ),
  ];
}

const yearTurns = 5;

/** How long the year takes, in ms. */
async function msOfYear(): Promise<number> {
  const bank = await openBenchBank(':memory:');
  await bank.ledger.write(async (tx) => {
    for (const statement of bookStatements({ accounts: 100, due: perDay * days, history: 0 }))
      await sql.raw(statement).execute(tx);
    const day = `date('${eveningBefore.slice(0, 10)}', '+' || (1 + id % ${days - 1}) || ' days')`;
    await sql.raw(`update execution set execution_date = ${day}, nominal_date = ${day}`).execute(tx);
  });
  const start = performance.now();
  const { runs } = await advanceClock(bank, instant(yearOn));
  const ms = performance.now() - start;
  const settled = runs.reduce((sum, each) => sum + each.settled, 0);
  if (settled !== perDay * days) throw new Error(`${settled} of ${perDay * days} payments settled`);
  await bank.close();
  return ms;
}

/** A server, and a call to it as a client of it makes it. */
interface Calls {
  readonly listener: RequestListener;
  readonly post: (address: string, agent: Agent) => Promise<void>;
}

/** As a test calls a server: the target is a half of this. */
const byExpress: Calls = {
  listener: express().post('/', (_request, response) => void response.status(204).end()),
  post: (address) => ask(address, { method: 'POST' }),
};

/** The least that a call over HTTP takes. */
const byNode: Calls = {
  listener: (request, response) => void request.resume().on('end', () => response.writeHead(204).end()),
  post: (address, agent) => send(agent, address, { target: '/', headers: {}, body: new Uint8Array() }, 204),
};

/** How long an empty POST for each payment takes, in ms: to a server in this process, one after the other over one connection. */
async function msOfPosts({ listener, post }: Calls): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const start = performance.now();
  for (let sent = 0; sent < perDay * days; sent += 1) await post(address, agent);
  const ms = performance.now() - start;
  agent.destroy();
  server.closeAllConnections();
  server.close();
  return ms;
}

/** Memory of a server with many banks: before the first request, and after one request to each. */
async function idleFigures(count: number): Promise<Figure[]> {
  const port = await freePort();
  const server = startProcess(['--port', String(port), '--ledger', ':memory:']);
  try {
    await untilReady(port, server);
    const address = `http://127.0.0.1:${port}`;
    const names = Array.from({ length: count }, (_, index) => `bank-${index}`);
    for (const name of names) {
      const body = JSON.stringify({ name });
      await ask(`${address}/sandbox/banks`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
    const megabytes = server.megabytes();
    for (const name of names) await ask(`${address}/banks/${name}/sandbox/clock`);
    return [
      withTarget(
        `${count.toLocaleString('en')} idle banks, the whole process`,
        { figure: `${megabytes.toFixed(0)} MB` },
        { by: megabytes, atMost: targets.idleBanks, unit: ' MB' },
      ),
      given('  when each of them was asked once', `${server.megabytes().toFixed(0)} MB`),
    ];
  } finally {
    await server.stop();
  }
}

async function ask(address: string, request: RequestInit = {}): Promise<void> {
  const answer = await fetch(address, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`);
}

/** Times of repeated restores and resets. */
interface SnapshotsMeasured {
  /** ms, at the 95th percentile. */
  readonly reset: number;
  readonly restore: number;
}

const turns = 21;
/** Pause in ms, as between two tests, in which the background work of the last restore ends. */
const pause = 100;

/** Restores a snapshot with `payments` payments and resets the bank, in turns. */
async function measureSnapshots(path: string, payments: number): Promise<SnapshotsMeasured> {
  const bank = await openBenchBank(path);
  const size = { accounts: payments / 10, due: payments, history: 0 };
  await bank.ledger.write(async (tx) => {
    for (const statement of bookStatements(size)) await sql.raw(statement).execute(tx);
  });
  await saveSnapshot(bank, 'full');
  const times: { reset: number[]; restore: number[] } = { reset: [], restore: [] };
  // The first turn loads code and settles the file: it is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    const reset = await timed(() => resetBank(bank));
    const restore = await timed(() => restoreSnapshot(bank, 'full'));
    if (turn === 0) continue;
    times.reset.push(reset);
    times.restore.push(restore);
  }
  await bank.close();
  if (path !== ':memory:') {
    for (const suffix of ['', '-wal', '-shm', '.snapshots']) rmSync(path + suffix, { force: true, recursive: true });
  }
  return { reset: percentile95(times.reset), restore: percentile95(times.restore) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  await setTimeout(pause);
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0;
}
