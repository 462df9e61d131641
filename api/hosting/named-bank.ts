import type { KnownState } from '../../engine/bank/known-state.ts';
import type { Config } from '../start/config.ts';
import type { Glance } from '../../engine/bank/glance.ts';
import type { HostedBank, Tenant } from './hosted-bank.ts';

/** A bank that opens at its first request; before it takes a few hundred bytes. */
export class NamedBank {
  readonly config: Config;
  /** The state after a reset. */
  readonly knownState: KnownState;
  /** What opens it; null: what opens the server. */
  readonly tenant: Tenant | null;
  readonly #make: () => Promise<HostedBank>;
  /** Its clock before its first request. */
  readonly #unused: () => Glance;
  #hosted: Promise<HostedBank> | null = null;

  constructor(
    { config, knownState, tenant }: Pick<NamedBank, 'config' | 'knownState' | 'tenant'>,
    make: () => Promise<HostedBank>,
    unused: () => Glance,
  ) {
    this.config = config;
    this.knownState = knownState;
    this.tenant = tenant;
    this.#make = make;
    this.#unused = unused;
  }

  open(): Promise<HostedBank> {
    this.#hosted ??= this.#make().catch((error: unknown) => {
      this.#hosted = null;
      throw error;
    });
    return this.#hosted;
  }

  /** Its clock and the size of its ledger. Throws LedgerUnavailable. */
  async glance(): Promise<Glance> {
    return (await this.#hosted)?.glance() ?? this.#unused();
  }

  /** Frees the memory of an open bank; its data is kept. */
  async suspend(): Promise<void> {
    await (await this.#hosted)?.suspend();
  }

  /** True while requests or exclusive work are under way; false for a bank that was never opened. */
  async isInUse(): Promise<boolean> {
    return (await this.#hosted)?.isInUse ?? false;
  }

  /** Takes over changed credentials. */
  async renew(): Promise<void> {
    (await this.#hosted)?.renew();
  }

  /** Closes the bank even if requests are open: the server stops. */
  async stop(): Promise<void> {
    await (await this.#hosted)?.bank.close();
  }

  /** Closes the bank for good. Throws CONFLICT while its clock is being moved. */
  async close(): Promise<void> {
    await (await this.#hosted)?.close();
  }
}
