import type { Bank } from '../../../engine/bank.ts';

/**
 * What is known of the books of a bank: the last proof that somebody asked for, while no row has changed since. To prove them reads
 * every entry, so that no page does it unasked.
 */
export class Books {
  readonly #bank: Bank;
  #proven: { readonly version: number; readonly ok: boolean } | null = null;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  /** Whether they are right; null: they were not proven since the ledger changed. */
  get areRight(): boolean | null {
    return this.#proven?.version === this.#bank.ledger.version() ? this.#proven.ok : null;
  }

  /** Proves them. `prove` tells whether they are right. */
  async prove<Proof extends { readonly ok: boolean }>(prove: () => Promise<Proof>): Promise<Proof> {
    const version = this.#bank.ledger.version();
    const proof = await prove();
    this.#proven = { version, ok: proof.ok };
    return proof;
  }
}
