import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Instant } from '../../engine/values/instant.ts';

const command = fileURLToPath(new URL('../sandbank.js', import.meta.url));
const handWritten = fileURLToPath(new URL('./hand-written-server.ts', import.meta.url));

export interface ServerProcess {
  /** What it printed so far. */
  printed(): string;
  /** Throws an Error with its output if the server has ended. */
  assertAlive(): void;
  /** Resident memory now. */
  megabytes(): number;
  stop(): Promise<void>;
}

/** Starts `sandbank serve` in a process of its own. */
export function startProcess(flags: readonly string[]): ServerProcess {
  return startNode([command, 'serve', ...flags]);
}

/**
 * Starts the server of hand-written-server.ts in memory, on a copy of a ledger file: what a request costs at least. `now`: what its clock
 * shows.
 */
export function startHandWritten(ledger: string, now: Instant): ServerProcess {
  return startNode([handWritten, ledger, String(now)]);
}

/** Starts a server with these words after `node`. */
export function startNode(words: readonly string[]): ServerProcess {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return {
    printed: () => text,
    assertAlive: () => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${text}`);
    },
    megabytes: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** In ms. */
const pollEvery = 5;

/** Waits for the first 200 of /ready; throws if the server has ended. */
export async function untilReady(port: number, server: ServerProcess): Promise<void> {
  while (!(await isReady(port))) {
    server.assertAlive();
    await setTimeout(pollEvery);
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/ready', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    request.on('error', () => resolve(false));
  });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
