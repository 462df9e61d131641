import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Config, readConfig } from '../../api/start/config.ts';
import type { RunningServer, ServerOptions } from '../../api/hosting/server.ts';
import { isLoopback } from '../../api/pipeline/addresses.ts';
import { boundedFile } from '../../api/hosting/bundle/bundle-file.ts';
import type { Arguments } from '../cli/arguments.ts';
import { trustSandboxCa } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import { LongAnswers } from './long-answers.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';

/** Maximum number of banks that the tools keep: the earliest goes when another is made. */
const maxBanks = 5;

const ownFlags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', '--clock-mode', 'frozen'];

/** The bank that an agent works with, and what the tools remember between two calls. It ends with the agent. */
export class Desk {
  readonly #given: Arguments;
  /** The server of the banks that it makes. */
  #server: Promise<RunningServer> | null = null;
  /** The server of the bundle that it opened. */
  #opened: RunningServer | null = null;
  #client: ControlPlaneClient | null = null;
  #made = 0;
  readonly #banks: string[] = [];
  /** The payment that was made or asked for last. */
  paymentId: string | null = null;
  readonly answers = new LongAnswers();

  constructor(given: Arguments) {
    this.#given = given;
  }

  /** The bank of the last {@link make}, {@link open} or {@link attach}. Throws a CommandFailed without one. */
  get client(): ControlPlaneClient {
    if (this.#client === null) throw new CommandFailed('There is no bank yet: call start_bank.');
    return this.#client;
  }

  /** The address of that bank, or null if there is none yet. */
  get address(): string | null {
    return this.#client?.address ?? null;
  }

  /** Makes a bank with a body of `POST /sandbox/banks`, in a server in memory that ends with the agent. */
  async make(body: object): Promise<void> {
    this.#server ??= this.#started(readConfig({}, ownFlags), {});
    const { address } = await this.#server;
    const root = this.#at(address);
    const { name } = await root.ask('POST /banks', 'name', {
      body: { name: `agent-${(this.#made += 1)}`, mode: 'frozen', ...body },
    });
    this.#workWith(this.#at(address, `/banks/${name}`));
    this.#banks.push(name);
    const oldest = this.#banks.length > maxBanks ? this.#banks.shift() : undefined;
    // The agent may have removed it.
    if (oldest !== undefined)
      await root.ask('DELETE /banks/:name', 'removed', { params: { name: oldest } }).catch(() => undefined);
  }

  /** Opens a bundle of the working folder. */
  async open(file: string): Promise<void> {
    const { configOfBundle, readBundle } = await import('../../api/hosting/bundle/bundle.ts');
    const bytes = boundedFile(inWorkingFolder(file));
    if (bytes === null) throw new CommandFailed(`${file} is no bundle of Sandbank.`);
    const bundle = await readBundle(bytes);
    const server = await this.#started(configOfBundle(bundle, { flags: ['--port=0', '--log-level=silent'] }), {
      bundle,
    });
    await this.#opened?.stop();
    this.#opened = server;
    this.#workWith(this.#at(server.address));
  }

  /**
   * Takes a bank that runs elsewhere. Throws a CommandFailed for a text that is no address, and for another machine
   * that would get the control token.
   */
  attach(address: string): void {
    if (!URL.canParse(address)) throw new CommandFailed(`${address} is no address of a bank.`);
    const { origin, pathname } = new URL(address);
    if (this.#given.config().controlToken !== null && !isLoopback(origin))
      throw new CommandFailed(`The control token goes to this machine only, and ${origin} is another one.`);
    trustSandboxCa(origin, this.#given);
    this.#workWith(this.#at(origin, pathname.replace(/\/$/, '')));
  }

  async close(): Promise<void> {
    await this.#opened?.stop();
    await (await this.#server)?.stop();
  }

  /** A bank that has none of the payments of the one before. */
  #workWith(client: ControlPlaneClient): void {
    [this.#client, this.paymentId] = [client, null];
  }

  #at(server: string, path = ''): ControlPlaneClient {
    return new ControlPlaneClient(this.#given, () => ({ server, path }));
  }

  async #started(config: Config, options: ServerOptions): Promise<RunningServer> {
    const { startServer } = await import('../../api/hosting/server.ts');
    return startServer(config, undefined, options);
  }
}

/** The path of a file in the working folder, where links lead. Throws a CommandFailed for a path elsewhere. */
export function inWorkingFolder(file: string): string {
  const [home, wanted] = [realpathSync('.'), resolve(file)];
  const beside = join(realpathSync(dirname(wanted)), basename(wanted));
  const place = existsSync(beside) ? realpathSync(beside) : beside;
  const way = relative(home, place);
  if (way.startsWith('..') || way.includes(`..${sep}`) || resolve(way) !== place)
    throw new CommandFailed(`${file} is outside the working folder ${home}.`);
  return place;
}
