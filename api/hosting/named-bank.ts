import type { Config } from '../start/config.ts';
import type { HostedBank } from './hosted-bank.ts';

/** A bank that is made but not open before somebody asks it: till then it costs a few hundred bytes. */
export class NamedBank {
  readonly config: Config;
  readonly #make: () => Promise<HostedBank>;
  #hosted: Promise<HostedBank> | null = null;

  constructor(config: Config, make: () => Promise<HostedBank>) {
    this.config = config;
    this.#make = make;
  }

  open(): Promise<HostedBank> {
    this.#hosted ??= this.#make().catch((error: unknown) => {
      this.#hosted = null;
      throw error;
    });
    return this.#hosted;
  }

  /** Gives back what it costs to be open. Keeps all that it holds. */
  async rest(): Promise<void> {
    await (await this.#hosted)?.suspend();
  }

  /** Whether somebody waits for it. One that was never asked is not. */
  async isInUse(): Promise<boolean> {
    return (await this.#hosted)?.isInUse ?? false;
  }

  /** For good, whatever is under way: the server stops. */
  async stop(): Promise<void> {
    await (await this.#hosted)?.bank.close();
  }

  /** For good. CONFLICT while its clock is being moved. */
  async close(): Promise<void> {
    await (await this.#hosted)?.close();
  }
}
