import type { Bank } from '../../../engine/bank.ts';

/**
 * The last check of a bank's books that somebody asked for. It holds until a row changes. A check reads every entry, so no page makes
 * one unasked.
 */
export class Books {
  readonly #bank: Bank;
  #proven: { readonly version: number; readonly ok: boolean } | null = null;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  /** Whether the books are right; null: nobody checked them since the ledger changed. */
  get areRight(): boolean | null {
    return this.#proven?.version === this.#bank.ledger.version() ? this.#proven.ok : null;
  }

  /** Checks the books with `prove`, and keeps the result. */
  async prove<Proof extends { readonly ok: boolean }>(prove: () => Promise<Proof>): Promise<Proof> {
    const version = this.#bank.ledger.version();
    const proof = await prove();
    this.#proven = { version, ok: proof.ok };
    return proof;
  }
}
