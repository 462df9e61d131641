import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import type { Instant } from '../../engine/values/instant.ts';

/** A server in a process of its own. */
export interface Server {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Resident memory now. */
  megabytes(): number;
  stop(): Promise<void>;
}

/** Path of a file beside this one. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The words after `node` that start the bank. */
export function serve(...flags: readonly string[]): string[] {
  return [here('../sandbank.js'), 'serve', '--port', '0', ...flags];
}

/** The words that start the server of hand-written-server.js, on a copy of a ledger in memory. `now` is what its clock shows. */
export function serveByHand(ledger: string, now: Instant): string[] {
  return [here('hand-written-server.js'), ledger, String(now)];
}

/**
 * Starts a server with these words after `node`, and waits for its address. Throws with its output if it ends before that.
 * @param find Finds the address: left out, in what the server has printed.
 */
export async function start(words: readonly string[], find = printedAddress): Promise<Server> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const hear = (part: string): void => void (printed += part);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const isOver = (): boolean => child.exitCode !== null;
  const stop = async (): Promise<void> => {
    if (isOver()) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  for (;;) {
    const address = await find(printed);
    const megabytes = (): number =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024;
    if (address !== undefined) return { address, megabytes, stop };
    if (isOver()) throw new Error(`the server ended with ${child.exitCode}: ${printed}`);
    await setTimeout(1);
  }
}

async function printedAddress(printed: string): Promise<string | undefined> {
  // The last word may not be whole yet.
  return printed
    .split(/\s/)
    .slice(0, -1)
    .find((word) => word.startsWith('http://'));
}

/** {@link start}, of a server that is stopped later. */
export type Start = typeof start;

/** Works with servers that run beside each other, and stops them in the end. */
export async function withServers<Result>(work: (start: Start) => Promise<Result>): Promise<Result> {
  const servers: Server[] = [];
  try {
    return await work(async (...given) => {
      const server = await start(...given);
      servers.push(server);
      return server;
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Posts JSON to the control plane of a server, and returns its answer. */
export async function control<Answer>({ address }: { address: string }, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
