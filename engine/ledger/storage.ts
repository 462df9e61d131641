import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Instant } from '../values/instant.ts';
import type { Tables } from './tables.ts';

/** A copy of a whole ledger. */
export interface SavedSnapshot {
  /** Letters, digits, `.`, `_`, `+` and `-`. */
  readonly key: string;
  /** What the bank clock showed. */
  readonly at: Instant;
}

/** What is still to be written into a snapshot before it takes the ledger's place: one transaction with that. */
export type Preparation = (tx: KyselyTransaction<Tables>, at: Instant) => Promise<void>;

/** Where a ledger and its snapshots are: on the disk, or in memory. Its caller does one thing at a time. */
export interface LedgerStorage {
  /** The open database; opens it when it rests. */
  kysely(): Promise<Kysely<Tables>>;
  /** Keeps a copy, in the place of an earlier one with this key. */
  save(snapshot: SavedSnapshot): Promise<void>;
  /** Puts a snapshot in the ledger's place. All or nothing. Null: there is none. */
  restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null>;
  list(): Promise<SavedSnapshot[]>;
  remove(key: string): Promise<boolean>;
  /** Whether the open file still has its name; true while none is open. */
  isInPlace(): boolean;
  /** Writes something that changes nothing, and waits until it is on the disk. Throws what a write would. */
  probe(): Promise<void>;
  /** Gives back what an open database costs, until it is used again. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}
