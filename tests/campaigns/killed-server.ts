import { type ChildProcess, type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { greetedAddress } from '../lab/greeted-address.ts';
import { BankClient } from '../lab/server.ts';
import { demand, type Soak, Violation } from './campaign.ts';

const program = fileURLToPath(new URL('../../scripts/sandbank.js', import.meta.url));
const following = fileURLToPath(new URL('../lab/following.ts', import.meta.url));
const probe = new URL('../lab/memory-probe.js', import.meta.url).href;

/** Settings of a new ledger: a frozen clock, so that hashes do not depend on the time of day. */
const beginning = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];

/** A server in its own process on a ledger file, ended only by `kill -9`, at the latest when the campaign ends. */
export class KilledServer extends BankClient {
  readonly child: ChildProcess;

  private constructor(address: string, child: ChildProcess) {
    super(address);
    this.child = child;
  }

  /** Starts a server, with more flags of `serve`, and waits until it is ready. A server that does not start is a {@link Violation}. */
  static async start(soak: Soak, ledger: string, flags: readonly string[] = []): Promise<KilledServer> {
    const { child, failure } = serve(soak, ledger, flags);
    return new KilledServer(await Promise.race([greetedAddress(child.stdout).catch(() => failure), failure]), child);
  }

  /** Starts a server and kills it `ms` later, while it makes or opens its ledger, or catches up. */
  static async startAndKill(soak: Soak, ledger: string, ms: number): Promise<void> {
    const { child, failure } = serve(soak, ledger);
    await Promise.race([setTimeout(ms), failure]);
    await kill(child);
  }

  kill(): Promise<void> {
    return kill(this.child);
  }

  /** What is in use after a collection, and what is in RAM, in MB. */
  async memory(): Promise<Record<'used' | 'resident', number>> {
    this.child.send('memory');
    const [{ heapUsed, external, rss }] = (await once(this.child, 'message')) as [NodeJS.MemoryUsage];
    return { used: Math.ceil((heapUsed + external) / 1_000_000), resident: Math.ceil(rss / 1_000_000) };
  }
}

/** Follows a ledger file in a process of its own (tests/lab/follower.ts), and ends it by `kill -9`. It must not fail before. */
export async function followWhile(soak: Soak, ledger: string, work: () => Promise<void>): Promise<void> {
  const { child, said } = launch(soak, [following, ledger]);
  await Promise.race([once(child.stdout, 'data'), said]);
  await work();
  const isRunning = child.exitCode === null;
  await kill(child);
  demand(isRunning, `the follower failed: ${(await said).slice(0, 2_000)}`);
}

/** A new server, and a promise that rejects when it ends by itself. */
function serve(soak: Soak, ledger: string, more: readonly string[] = []) {
  const words = ['serve', '--port', '0', '--ledger', ledger, '--log-level', 'error', ...beginning, ...more];
  const { child, said } = launch(soak, ['--expose-gc', '--import', probe, program, ...words]);
  const failure = said.then(async (why): Promise<never> => {
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    throw new Violation(`the server does not start, or ends with ${code}: ${why.slice(0, 2_000)}`);
  });
  failure.catch(() => undefined);
  return { child, failure };
}

/** A new process, ended at the latest with the campaign, and what it says to standard error until its end. */
function launch(soak: Soak, words: readonly string[]) {
  // Detached: Ctrl-C ends the campaign, and the campaign its processes.
  const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: {}, detached: true };
  const child = spawn(process.execPath, words, options) as ChildProcessByStdio<null, Readable, Readable>;
  soak.after(() => kill(child));
  return { child, said: text(child.stderr) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
