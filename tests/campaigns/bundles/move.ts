import type { SavedBank } from '../../lab/saved-banks.ts';
import type { Seeded } from '../../lab/seeded.ts';

/** What is wrong with a bundle. Members that are left out are right. */
export interface Wrong {
  /** For people. */
  readonly what: string;
  readonly json?: object | string;
  readonly ledger?: Buffer;
  /** JSON and ledger together, in place of both. */
  readonly content?: Buffer;
  readonly version?: string;
  readonly format?: string;
  readonly length?: number;
  /** It has an object that no ledger has: it must not open (docs/spec/control-plane.md B1). */
  readonly isForeign?: true;
}

/** A way to build a bundle wrong, and its weight: how often it is drawn, beside the others. */
export type Move = readonly [name: string, weight: number, make: (random: Seeded, bank: SavedBank) => Wrong];
