import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { type PreparedRequest, send } from './signed-requests.ts';

/** What a client asks again and again while a bank works. */
interface Asked {
  /** Of the server. */
  readonly address: string;
  /** Path of a GET that answers 200. */
  readonly path: string;
}

/** The longest time of an answer, in ms, to a client in a process of its own, which begins before the work and ends after it. */
export async function longestBeside(asked: Asked, work: () => Promise<unknown>): Promise<number> {
  const program = `(await import('${import.meta.url}')).ask(JSON.parse(process.argv[1]))`;
  const words = ['--input-type=module', '--eval', program, JSON.stringify(asked)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the client that measures ended too early')));
  await Promise.race([once(child.stdout, 'data'), failed]);
  await work();
  child.stdin.end();
  return Number((await printed).split('\n')[1]);
}

/** Requests before those that count: afterwards both sides have compiled their code. */
const warmUp = 100;

/**
 * Asks until standard input ends, and prints the longest time, in ms. Prints `asking` when what counts begins. Every second request comes over
 * a new connection. Exported for the process that {@link longestBeside} starts.
 */
export async function ask({ address, path }: Asked): Promise<void> {
  let isOver = false;
  process.stdin.on('end', () => (isOver = true)).resume();
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const get: PreparedRequest = { method: 'GET', target: path, headers: {}, body: Buffer.alloc(0) };
  let longest = 0;
  for (let count = 0; !isOver; count += 1) {
    if (count === warmUp) console.log('asking');
    const isOdd = count % 2 === 1;
    const begun = performance.now();
    try {
      await send(isOdd ? kept : false, address, get, 200);
    } catch (error) {
      // The bank has closed a connection that was idle because this process had to wait.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      continue;
    }
    if (count >= warmUp) longest = Math.max(longest, performance.now() - begun);
  }
  kept.destroy();
  console.log(longest);
}
