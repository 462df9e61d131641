import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { type PreparedRequest, send } from './signed-requests.ts';

/** What a client asks again and again while a bank works. */
interface Asked {
  /** Of the server. */
  readonly address: string;
  /** Paths of GETs that answer 200, each asked beside the others. */
  readonly paths: readonly string[];
}

/**
 * The longest time of an answer of each path, in ms, to a client in a process of its own, which begins before the work and ends after it.
 */
export async function longestBeside(asked: Asked, work: () => Promise<unknown>): Promise<number[]> {
  const program = `(await import('${import.meta.url}')).ask(JSON.parse(process.argv[1]))`;
  const words = ['--input-type=module', '--eval', program, JSON.stringify(asked)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the client that measures ended too early')));
  await Promise.race([once(child.stdout, 'data'), failed]);
  await work();
  child.stdin.end();
  return JSON.parse((await printed).split('\n')[1] ?? '') as number[];
}

/** Requests before those that count: afterwards both sides have compiled their code. */
const warmUp = 100;

/**
 * Asks until standard input ends, and prints the longest times, in ms. Prints `asking` when what counts begins. Every second request comes over
 * a new connection. Exported for the process that {@link longestBeside} starts.
 */
export async function ask({ address, paths }: Asked): Promise<void> {
  const isOver = { now: false };
  process.stdin.on('end', () => (isOver.now = true)).resume();
  const longest = (count: number) =>
    Promise.all(paths.map((path) => longestOf(address + path, () => isOver.now, count)));
  await longest(warmUp);
  console.log('asking');
  console.log(JSON.stringify(await longest(Infinity)));
}

/** Asks so many times at most. */
async function longestOf(url: string, isOver: () => boolean, most: number): Promise<number> {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const get: PreparedRequest = { method: 'GET', target: '', headers: {}, body: Buffer.alloc(0) };
  let longest = 0;
  for (let count = 0; count < most && !isOver(); count += 1) {
    const isOdd = count % 2 === 1;
    const begun = performance.now();
    try {
      await send(isOdd ? kept : false, url, get, 200);
    } catch (error) {
      // The bank has closed a connection that was idle because this process had to wait.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      continue;
    }
    longest = Math.max(longest, performance.now() - begun);
  }
  kept.destroy();
  return longest;
}
