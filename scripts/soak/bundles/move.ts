import type { Seeded } from '../../../lab/seeded.ts';
import type { SavedBank } from './saved-banks.ts';

/** A way to build a bundle wrong. */
export interface Move {
  readonly name: string;
  readonly make: (random: Seeded, bank: SavedBank) => WrongBundle;
}

export interface WrongBundle {
  /** What is wrong, for people. */
  readonly what: string;
  readonly file: Buffer;
}
