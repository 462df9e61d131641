import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readConfig } from '../../api/start/config.ts';
import { platformIds } from '../../api/start/platform.ts';
import type { RunningServer, startServer } from '../../api/hosting/server.ts';
import { boundedFile } from '../commands/bundle.ts';
import type { Arguments } from '../cli/arguments.ts';
import { CommandFailed } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';

const ownFlags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', '--clock-mode', 'frozen'];

/** The bank that an agent works with, and what the tools remember between two calls. It ends with the agent. */
export class Desk {
  readonly #given: Arguments;
  /** The server of the banks that it makes. */
  #server: RunningServer | null = null;
  /** The server of the bundle that it opened. */
  #opened: RunningServer | null = null;
  #client: ControlPlaneClient | null = null;
  #made = 0;
  /** The payment that was made last; null: none yet. */
  paymentId: string | null = null;

  constructor(given: Arguments) {
    this.#given = given;
  }

  /** The bank of the last {@link make}, {@link open} or {@link attach}. Throws a CommandFailed without one. */
  get client(): ControlPlaneClient {
    if (this.#client === null) throw new CommandFailed('There is no bank yet: call start_bank.');
    return this.#client;
  }

  /** The root of the server of that bank, which has the platform. */
  get root(): ControlPlaneClient {
    return this.#at(new URL(this.client.address).origin);
  }

  /** Makes a bank with a body of `POST /sandbox/banks`, in a server in memory that ends with the agent. */
  async make(body: object): Promise<void> {
    this.#server ??= await this.#started(readConfig({}, ownFlags), { platform: platformIds() });
    const root = this.#at(this.#server.address);
    const { name } = await root.ask('POST /banks', 'name', {
      body: { name: `agent-${(this.#made += 1)}`, mode: 'frozen', ...body },
    });
    this.#client = this.#at(this.#server.address, `/banks/${name}`);
  }

  /** Opens a bundle of the working folder. */
  async open(file: string): Promise<void> {
    const { configOfBundle, readBundle } = await import('../../api/hosting/bundle/bundle.ts');
    const bytes = boundedFile(inWorkingFolder(file));
    if (bytes === null) throw new CommandFailed(`${file} is no bundle of Sandbank.`);
    const bundle = await readBundle(bytes);
    const server = await this.#started(configOfBundle(bundle, ['--port=0', '--log-level=silent']), { bundle });
    await this.#opened?.stop();
    this.#opened = server;
    this.#client = this.#at(server.address);
  }

  /** Takes a bank that runs elsewhere. */
  attach(address: string): void {
    const { origin, pathname } = new URL(address);
    this.#client = this.#at(origin, pathname.replace(/\/$/, ''));
  }

  async close(): Promise<void> {
    await this.#opened?.stop();
    await this.#server?.stop();
  }

  #at(server: string, path = ''): ControlPlaneClient {
    return new ControlPlaneClient(this.#given, () => ({ server, path, namedBy: 'address' }));
  }

  async #started(
    ...[config, options]: [Parameters<StartServer>[0], Parameters<StartServer>[2]?]
  ): Promise<RunningServer> {
    const hosting = await import('../../api/hosting/server.ts');
    return hosting.startServer(config, undefined, options);
  }
}

type StartServer = typeof startServer;

/** The path of a file in the working folder, where links lead. Throws a CommandFailed for a path elsewhere. */
export function inWorkingFolder(file: string): string {
  const [home, wanted] = [realpathSync('.'), resolve(file)];
  const place = join(realpathSync(dirname(wanted)), basename(wanted));
  const way = relative(home, place);
  if (way.startsWith('..') || way.includes(`..${sep}`) || resolve(way) !== place)
    throw new CommandFailed(`${file} is outside the working folder ${home}.`);
  return place;
}
