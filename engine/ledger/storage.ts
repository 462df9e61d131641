import type { Transaction as KyselyTransaction } from 'kysely';
import type { Instant } from '../values/instant.ts';
import {
  type Connection,
  closeConnection,
  type LastWrite,
  inTransaction,
  openConnection,
  probeConnection,
} from './connection.ts';
import { maxBytesInLoop, vacuumed } from './side-thread.ts';
import type { Tables } from './tables.ts';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { nextTurn } from '../time/clock.ts';

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
export interface LedgerToStartFrom extends SavedSnapshot {
  /** A serialized database, read only if no ledger exists. It is null if there is none to start from. */
  readonly image: () => Buffer | null;
  /** Changes it before it becomes the ledger. */
  readonly prepare: (tx: KyselyTransaction<Tables>) => Promise<void>;
  /** Other ledgers begin as this image too: in memory they share it, and a restore prepares it again. */
  readonly isShared?: boolean;
}

/** Stores a ledger and its snapshots, on disk or in memory. The caller makes one call at a time. */
export interface LedgerStorage {
  /** Makes a ledger that does not exist yet, and its snapshot. All or nothing. Leaves one that exists as it is. */
  begin(beginning: LedgerToStartFrom): Promise<void>;
  /** The open database; opens it at its first use. */
  connection(): Promise<Connection>;
  /** Saves a copy and replaces an earlier one with this key. */
  save(snapshot: SavedSnapshot): Promise<void>;
  /** Replaces the ledger by a snapshot. All or nothing. Null for an unknown key. */
  restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null>;
  /**
   * Replaces the ledger by an image that this program took, see {@link image}, changed by `prepare`. All or nothing.
   */
  restoreImage(bytes: Buffer, prepare: LedgerToStartFrom['prepare']): Promise<void>;
  list(): Promise<SavedSnapshot[]>;
  /** A snapshot as the bytes of one SQLite file. Null for an unknown key. */
  read(key: string): Promise<(SavedSnapshot & { readonly bytes: Buffer }) | null>;
  remove(key: string): Promise<boolean>;
  /**
   * The whole database as the bytes of one SQLite file, which has no log beside it. `change` changes that copy, whose
   * free space then has nothing of earlier rows.
   */
  image(change?: LedgerToStartFrom['prepare']): Promise<Buffer>;
  /** Returns false if the open file was moved or removed. */
  isInPlace(): boolean;
  /** Writes to the disk without changing anything. Throws the errors of a write. */
  probe(): Promise<void>;
  /** `last`: see {@link LastWrite}. */
  close(last?: LastWrite): Promise<void>;
}

/**
 * A serialized database; a small one is compressed, and `size` is its bytes without that. Null: it is as SQLite gives
 * it.
 */
interface Image {
  readonly bytes: Buffer;
  readonly size: number | null;
}

interface MemorySnapshot extends SavedSnapshot {
  readonly image: Image;
  /** Changes the image before it becomes a ledger. */
  readonly prepare?: LedgerToStartFrom['prepare'];
}

/** Databases of more bytes stay uncompressed: unpacking takes about as long as copying twice. */
const maxPackedBytes = 4 * 1024 * 1024;

/**
 * Serialized database with empty tables, for every ledger: creating the tables takes longer than filling a new bank.
 */
let emptyTables: Buffer | null = null;

/** A ledger in memory. */
export class MemoryStorage implements LedgerStorage {
  readonly #snapshots = new Map<string, MemorySnapshot>();
  #current: Connection | null;
  /** Closing of the database that the last restore replaced. */
  #freeing: Promise<void> = Promise.resolve();

  /** `first` is the first database; null for empty tables. */
  constructor(first: Connection | null) {
    this.#current = first;
  }

  async begin({ image, prepare, isShared = false, key, at }: LedgerToStartFrom): Promise<void> {
    const bytes = image();
    if (bytes === null) return;
    this.#current = await prepareImage(bytes, prepare);
    if (isShared) this.#snapshots.set(key, { key, at, image: { bytes, size: null }, prepare });
    else await this.save({ key, at });
  }

  async save({ key, at }: SavedSnapshot): Promise<void> {
    const { sqlite } = await this.connection();
    this.#snapshots.set(key, { key, at, image: pack(sqlite.serialize()) });
  }

  async restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null> {
    const found = this.#snapshots.get(key);
    if (found === undefined) return null;
    await this.restoreImage(unpack(found.image), async (tx) => {
      await found.prepare?.(tx);
      await prepare(tx, found.at);
    });
    return found;
  }

  async restoreImage(bytes: Buffer, prepare: LedgerToStartFrom['prepare']): Promise<void> {
    await this.#freeing;
    const restored = await prepareImage(bytes, prepare);
    const before = this.#current;
    this.#current = restored;
    // Closes in the background, because freeing a large database takes a tenth of a restore.
    if (before !== null) this.#freeing = nextTurn().then(() => closeConnection(before));
  }

  list(): Promise<SavedSnapshot[]> {
    return Promise.resolve(
      [...this.#snapshots.values()].map(({ key, at }): { key: string; at: Instant } => ({ key, at })),
    );
  }

  async read(key: string): Promise<(SavedSnapshot & { readonly bytes: Buffer }) | null> {
    const found = this.#snapshots.get(key);
    if (found === undefined) return null;
    const bytes = unpack(found.image);
    return { ...found, bytes: found.prepare === undefined ? bytes : await changedImage(bytes, found.prepare) };
  }

  remove(key: string): Promise<boolean> {
    return Promise.resolve(this.#snapshots.delete(key));
  }

  async image(change?: LedgerToStartFrom['prepare']): Promise<Buffer> {
    const bytes = (await this.connection()).sqlite.serialize();
    return change === undefined ? bytes : changedImage(bytes, change);
  }

  isInPlace(): boolean {
    return true;
  }

  async probe(): Promise<void> {
    probeConnection(await this.connection());
  }

  async close(): Promise<void> {
    if (this.#current !== null) await closeConnection(this.#current);
    this.#current = null;
    await this.#freeing;
  }

  async connection(): Promise<Connection> {
    return (this.#current ??= await openEmpty());
  }
}

/** The database of a small copy that has ended: preparing its statements again would take longer than most copies. */
let spare: Connection | null = null;

/** Maximum pages of the {@link spare} database: SQLite frees the memory of a larger one only when that closes. */
const maxSparePages = 1_024n;

/**
 * An empty ledger in memory that leaves nothing: its transactions are parts of one, which its close takes back.
 * References to rows that it lacks are not checked.
 */
export class CopyStorage extends MemoryStorage {
  static async open(): Promise<CopyStorage> {
    const connection = spare ?? (await openEmpty());
    if (connection === spare) spare = null;
    else connection.sqlite.pragma('foreign_keys = OFF');
    connection.transactions.wrap();
    return new CopyStorage(connection);
  }

  override async close(): Promise<void> {
    const connection = await this.connection();
    const isSmall = (connection.sqlite.pragma('page_count', { simple: true }) as bigint) <= maxSparePages;
    if (spare === null && isSmall && connection.transactions.unwrap()) spare = connection;
    else await super.close();
  }
}

/** Opens a serialized database and changes it in one transaction. */
export async function prepareImage(image: Buffer, prepare: LedgerToStartFrom['prepare']): Promise<Connection> {
  const connection = await openConnection(image);
  try {
    await inTransaction(connection, 'write', prepare);
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
  return connection;
}

/**
 * A serialized database, changed in one transaction. Its free space has nothing of earlier rows. A large one is copied
 * in turns of the event loop, and vacuumed in a thread.
 */
export async function changedImage(image: Buffer, change: LedgerToStartFrom['prepare']): Promise<Buffer> {
  const isLarge = image.length >= maxBytesInLoop;
  if (isLarge) await nextTurn();
  const connection = await prepareImage(image, change);
  let changed: Buffer;
  try {
    if (isLarge) await nextTurn();
    else connection.sqlite.exec('vacuum');
    changed = connection.sqlite.serialize();
  } finally {
    await closeConnection(connection);
  }
  if (!isLarge) return changed;
  await nextTurn();
  return vacuumed(changed);
}

async function openEmpty(): Promise<Connection> {
  if (emptyTables !== null) return openConnection(emptyTables);
  const connection = await openConnection(':memory:');
  emptyTables = connection.sqlite.serialize();
  return connection;
}

/** The level at which the image of a new bank has 17 KB instead of 12, for half of the time. */
const quick = { params: { [constants.ZSTD_c_compressionLevel]: -5 } };

function pack(bytes: Buffer): Image {
  if (bytes.length >= maxPackedBytes) return { bytes, size: null };
  // Copies to a buffer of the right size: the compressor's buffer is mostly unused.
  const packed = zstdCompressSync(bytes, quick);
  const fitting = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(fitting);
  return { bytes: fitting, size: bytes.length };
}

/**
 * Into one buffer, with a byte to spare by which zlib knows that it is done: of many small ones it takes twice as long.
 */
function unpack({ bytes, size }: Image): Buffer {
  return size === null ? bytes : zstdDecompressSync(bytes, { chunkSize: size + 1 });
}
