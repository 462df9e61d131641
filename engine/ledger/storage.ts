import type { Transaction as KyselyTransaction } from 'kysely';
import type { Instant } from '../values/instant.ts';
import type { Connection } from './connection.ts';
import type { Tables } from './tables.ts';

/** A copy of a whole ledger. */
export interface SavedSnapshot {
  /** Letters, digits, `.`, `_`, `+` and `-`. */
  readonly key: string;
  /** Bank time of the copy. */
  readonly at: Instant;
}

/** Changes a snapshot in one transaction before it replaces the ledger; `at` is the snapshot's bank time. */
export type Preparation = (tx: KyselyTransaction<Tables>, at: Instant) => Promise<void>;

/** A ledger to start from, instead of empty tables. */
export interface Beginning extends SavedSnapshot {
  /** A serialized database, read only if no ledger exists. */
  readonly image: () => Buffer;
  /** Changes it before it becomes the ledger. */
  readonly prepare: (tx: KyselyTransaction<Tables>) => Promise<void>;
}

/** Stores a ledger and its snapshots, on disk or in memory. The caller makes one call at a time. */
export interface LedgerStorage {
  /** Makes a ledger that does not exist yet, and its snapshot. All or nothing. Leaves one that exists as it is. */
  begin(beginning: Beginning): Promise<void>;
  /** The open database; opens it when it is suspended. */
  connection(): Promise<Connection>;
  /** Saves a copy and replaces an earlier one with this key. */
  save(snapshot: SavedSnapshot): Promise<void>;
  /** Replaces the ledger by a snapshot. All or nothing. Null for an unknown key. */
  restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null>;
  /** Replaces the ledger by an image that this program took, see {@link image}, changed by `prepare`. All or nothing. */
  restoreImage(bytes: Buffer, prepare: Beginning['prepare']): Promise<void>;
  list(): Promise<SavedSnapshot[]>;
  remove(key: string): Promise<boolean>;
  /** The whole database as the bytes of one SQLite file, which has no log beside it. */
  image(): Promise<Buffer>;
  /** False: the open file was moved or removed. */
  isInPlace(): boolean;
  /** Writes to the disk without changing anything. Throws the errors of a write. */
  probe(): Promise<void>;
  /** Frees memory and files until the database is used again. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}
