import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { quantile } from './measure.ts';
import { initiation, inBank, type PreparedRequest, send } from './signed-requests.ts';

/** What a client asks again and again while a bank works. */
interface Asked {
  /** Of the server. */
  readonly address: string;
  /** Path of a GET that answers 200. */
  readonly path: string;
  /** Of each GET, such as a token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Every second request is a signed initiation in the bank of this base; `from`: the number of the first. Left out: all are GETs. */
  readonly initiates?: { readonly base: string; readonly from: number };
  /**
   * The process of the server: the times are those that its main thread has the processor, so that other load of the machine does not count.
   * Left out: they are those of a clock.
   */
  readonly pid?: number;
  /** From the begin of a request to that of the next, in ms. */
  readonly pauseMs: number;
}

/** In ms: the 95th percentile, and the longest. */
export interface Times {
  readonly p95: number;
  readonly longest: number;
}

/** The times of the answers to a client in a process of its own, which begins before the work and ends after it. */
export async function timesBeside(asked: Asked, work: () => Promise<unknown>): Promise<Times> {
  const program = `(await import('${import.meta.url}')).ask(JSON.parse(process.argv[1]))`;
  const words = ['--input-type=module', '--eval', program, JSON.stringify(asked)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the client that measures ended too early')));
  await Promise.race([once(child.stdout, 'data'), failed]);
  await work();
  child.stdin.end();
  return JSON.parse((await printed).split('\n')[1] ?? '') as Times;
}

/** How long the main thread of a process has had the processor, in ms; null: the system does not tell. */
function processorMs(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    return null;
  }
}

/** Requests before those that count: afterwards both sides have compiled their code. */
const warmUp = 100;

/**
 * Asks until standard input ends, and prints the {@link Times}. Prints `asking` when what counts begins. Of GETs, every second one comes over
 * a new connection. Exported for the process that {@link timesBeside} starts.
 */
export async function ask({ address, path, headers = {}, initiates, pid, pauseMs }: Asked): Promise<void> {
  let isOver = false;
  process.stdin.on('end', () => (isOver = true)).resume();
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const get: PreparedRequest = { method: 'GET', target: path, headers, body: Buffer.alloc(0) };
  const times: number[] = [];
  for (let count = 0; !isOver; count += 1) {
    if (count === warmUp) console.log('asking');
    const isOdd = count % 2 === 1;
    const payment =
      isOdd || initiates === undefined ? null : inBank(initiates.base, initiation(initiates.from + count));
    const begun = performance.now();
    const before = pid === undefined ? null : processorMs(pid);
    try {
      if (payment !== null) await send(kept, address, payment, 201);
      else await send(isOdd ? kept : false, address, get, 200);
    } catch (error) {
      // The bank has closed a connection that was idle because this process had to wait.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      continue;
    }
    const ms = performance.now() - begun;
    if (count >= warmUp) times.push(before === null ? ms : (processorMs(pid ?? 0) ?? before) - before);
    if (ms < pauseMs) await setTimeout(pauseMs - ms);
  }
  kept.destroy();
  console.log(JSON.stringify({ p95: quantile(times, 0.95), longest: Math.max(...times) }));
}
