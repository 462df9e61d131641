import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BankClient } from '../../lab/server.ts';
import { Violation } from './campaign.ts';

const program = fileURLToPath(new URL('../sandbank.js', import.meta.url));

/** A server in its own process on a ledger file, ended only by `kill -9`. */
export class KilledServer extends BankClient {
  /** Running processes, for killAll at the end of a campaign. */
  static readonly #running = new Set<ChildProcess>();
  readonly #child: ChildProcess;

  private constructor(address: string, child: ChildProcess) {
    super(address);
    this.#child = child;
  }

  /** Starts a server and waits until it is ready. A server that does not start is a {@link Violation}. */
  static async start(ledger: string): Promise<KilledServer> {
    const child = launch(ledger);
    KilledServer.#running.add(child);
    const said = new Said(child);
    for (;;) {
      const address = /http:\/\/\S+/.exec(said.text)?.[0];
      if (address !== undefined) return new KilledServer(address, child);
      if (child.exitCode !== null) throw new Violation(`the server does not start: ${said.text.slice(0, 2_000)}`);
      await setTimeout(5);
    }
  }

  /** Starts a server and kills it `ms` later, while it makes or opens its ledger, or catches up. */
  static async startAndKill(ledger: string, ms: number): Promise<void> {
    const child = launch(ledger);
    const said = new Said(child);
    await setTimeout(ms);
    if (child.exitCode !== null) throw new Violation(`the server does not start: ${said.text.slice(0, 2_000)}`);
    await kill(child);
  }

  async kill(): Promise<void> {
    await kill(this.#child);
    KilledServer.#running.delete(this.#child);
  }

  static async killAll(): Promise<void> {
    for (const child of KilledServer.#running) await kill(child);
    KilledServer.#running.clear();
  }
}

/** Settings of a new ledger: a frozen clock, so that hashes do not depend on the time of day. */
const beginning = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];

function launch(ledger: string): ChildProcess {
  const flags = ['serve', '--port', '0', '--ledger', ledger, '--log-level', 'error', ...beginning];
  // Detached: Ctrl-C ends the campaign, and the campaign its servers.
  return spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env: {}, detached: true });
}

/** The output of a process since its start. */
class Said {
  text = '';

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout, stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (this.text += part));
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
