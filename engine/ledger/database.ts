import { sql } from 'kysely';
import { realpath } from 'node:fs/promises';
import { InvariantBroken } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import {
  closeConnection,
  createTables,
  type Durability,
  inTransaction,
  type LastWrite,
  openConnection,
  writers,
} from './connection.ts';
import { systemDisk, type Disk } from './ledger-files.ts';
import { FileStorage } from './file-storage.ts';
import { requireSound } from './schema.ts';
import {
  BackgroundCheck,
  LedgerRefused,
  type Look,
  isBusy,
  withRoom,
  LedgerCondition,
  LedgerUnavailable,
  troubleIn,
  type LedgerTrouble,
} from './ledger-condition.ts';
import {
  CopyStorage,
  MemoryStorage,
  type LedgerToStartFrom,
  type LedgerStorage,
  type Preparation,
  type SavedSnapshot,
} from './storage.ts';
import { type Reader, tables, type Writer } from './tables.ts';
import { TransactionQueue } from './transaction-queue.ts';
import { systemClock } from '../time/clock.ts';

export type { Durability } from './connection.ts';
export { isRefused, LedgerRefused, LedgerUnavailable, type LedgerTrouble } from './ledger-condition.ts';
export { type LedgerToStartFrom, type SavedSnapshot } from './storage.ts';
export type { NewRow, Reader, Row, Writer } from './tables.ts';

export function isWriting(reader: Reader): reader is Writer {
  return writers.has(reader);
}

interface WriteOptions {
  /** Writes although the books may be wrong. Only for moving the clock by hand, to find or to pass the fault. */
  readonly evenWhenBroken?: boolean;
  /** Shares no commit with other writes, which would wait for it. */
  readonly isLong?: boolean;
}

/** An open ledger, or a copy of it with calls of its own (api/pipeline/struck-call.ts). */
export type Ledger = Pick<OpenLedger, keyof OpenLedger>;

/** Time between two tries of a file that could not be written, in ms. */
const probePause = 500;

/** How a ledger is kept in a file. */
export interface Keeping {
  /** The default is `normal`. */
  readonly durability?: Durability | undefined;
  /** File operations for snapshots, for tests of failing disks. The default is the disk of this machine. */
  readonly disk?: Disk | undefined;
}

/**
 * Opens the ledger at a path, or a new one in memory for `:memory:`, and brings its tables up to date. A new one has
 * empty tables, or starts as `beginning`.
 */
export async function openLedger(
  path: string,
  beginning: LedgerToStartFrom | null = null,
  { durability = 'normal', disk = systemDisk }: Keeping = {},
): Promise<Ledger> {
  // A restore replaces the file; with a symbolic link it must not replace the link.
  const storage =
    path === ':memory:'
      ? new MemoryStorage(null)
      : new FileStorage(await realpath(path).catch(() => path), disk, durability);
  if (beginning !== null) await storage.begin(beginning);
  await storage.connection();
  return new OpenLedger(storage);
}

/** Images that this process made or has checked, each with its tables up to date. */
const sound = new WeakMap<Buffer, Buffer>();

/**
 * An image of a ledger with its tables up to date. One that this process has not made is checked once, as a file is;
 * `damageIn` tells what is wrong with its rows. Throws LedgerRefused.
 */
export async function soundImage(bytes: Buffer, damageIn: (reader: Reader) => Promise<string | null>): Promise<Buffer> {
  const known = sound.get(bytes);
  if (known !== undefined) return known;
  const connection = await openConnection(bytes, { author: 'anybody' });
  try {
    const { sqlite } = connection;
    requireSound(sqlite);
    const damage = await inTransaction(connection, 'read', damageIn);
    if (damage !== null) throw new LedgerRefused('damaged', damage);
    const isOlder = sqlite.prepare<[], bigint>('select total_changes()').pluck().get() !== 0n;
    const found = isOlder ? sqlite.serialize() : bytes;
    sound.set(bytes, found);
    return found;
  } finally {
    await closeConnection(connection);
  }
}

/**
 * An empty ledger in memory, for a copy of some rows ({@link copyRows}): references to rows that are left out are not
 * checked.
 */
export async function openCopy(): Promise<Ledger> {
  return new OpenLedger(await CopyStorage.open());
}

/**
 * One bank's ledger and its snapshots. Every access is a transaction; transactions run one after the other and never
 * nest. Throws LedgerUnavailable when the file cannot be used; the next call tries again.
 */
class OpenLedger {
  readonly #storage: LedgerStorage;
  readonly #condition = new LedgerCondition();
  readonly #inspection = new BackgroundCheck((damage) => this.stop(`its ledger is damaged: ${damage}`));
  readonly #queue: TransactionQueue;
  #isClosed = false;
  #version = 0;
  #probedAt = -Infinity;

  constructor(storage: LedgerStorage) {
    this.#storage = storage;
    this.#queue = new TransactionQueue(storage, () => {
      this.#version += 1;
    });
  }

  /** Reads from one consistent view. Throws when called inside another `read` or `write`. */
  readonly read = <T>(work: (reader: Reader) => Promise<T>): Promise<T> =>
    this.#guarded(() => this.#queue.read(work, () => this.#requireOpen()));

  /**
   * All or nothing, and kept when the promise is fulfilled (control-plane.md B4). Throws when called inside another
   * `read` or `write`, and LedgerUnavailable while the file is missing or the books may be wrong. A broken invariant
   * ends all later writes.
   */
  readonly write = async <T>(
    work: (tx: Writer) => Promise<T>,
    { evenWhenBroken = false, isLong = false }: WriteOptions = {},
  ): Promise<T> => {
    const permit = (): void => this.#requireWritable(evenWhenBroken);
    // Guarded twice: a broken invariant is known before the next write begins, a failed commit after the last one.
    return this.#guarded(() => this.#queue.write((tx) => this.#guardedBooks(work, tx), { isLong, permit }));
  };

  /**
   * A write and then a snapshot, with nothing in between. `work` returns the bank time of the snapshot, or null for no
   * snapshot.
   */
  readonly writeAndSave = (key: string, work: (tx: Writer) => Promise<Instant | null>): Promise<Instant | null> =>
    this.#replacing(async () => {
      this.#requireWritable(true);
      const at = await this.#queue.writeNow((tx) => this.#guardedBooks(work, tx));
      this.#condition.end('broken');
      if (at !== null) await this.#storage.save({ key, at });
      return at;
    });

  /** Saves a snapshot and replaces an earlier one with this key. `timeOf` reads its bank time. */
  readonly save = (key: string, timeOf: (reader: Reader) => Promise<Instant>): Promise<SavedSnapshot> =>
    this.#exclusive(async () => {
      const snapshot = { key, at: await this.#queue.readNow(timeOf) };
      await withRoom(() => this.#storage.save(snapshot));
      return snapshot;
    });

  /**
   * Replaces the ledger by a snapshot, changed by `prepare`. All or nothing. Returns null if there is no such snapshot.
   */
  readonly restore = (key: string, prepare: Preparation): Promise<SavedSnapshot | null> =>
    this.#restoring(() => this.#storage.restore(key, prepare));

  /** Replaces the ledger by an image of it, see {@link image}, changed by `prepare`. All or nothing. */
  readonly restoreImage = (bytes: Buffer, prepare: LedgerToStartFrom['prepare']): Promise<void> =>
    this.#restoring(() => this.#storage.restoreImage(bytes, prepare));

  readonly snapshots = (): Promise<SavedSnapshot[]> => this.#exclusive(() => this.#storage.list());

  /** Returns false if there is no such snapshot. */
  readonly removeSnapshot = (key: string): Promise<boolean> => this.#exclusive(() => this.#storage.remove(key));

  /**
   * The whole ledger as the bytes of one SQLite file, changed by `change`, and what `read` reads, with nothing in
   * between.
   */
  readonly image = <T>(
    work: (reader: Reader) => Promise<T>,
    change?: LedgerToStartFrom['prepare'],
  ): Promise<{ readonly bytes: Buffer; readonly read: T }> =>
    this.#exclusive(async () => {
      const read = await this.#queue.readNow(work);
      const bytes = await withRoom(() => this.#storage.image(change));
      sound.set(bytes, bytes);
      return { read, bytes };
    });

  /** A snapshot as the bytes of one SQLite file. Null if there is no such snapshot. */
  readonly snapshot = (key: string): Promise<(SavedSnapshot & { readonly bytes: Buffer }) | null> =>
    this.#exclusive(() => this.#storage.read(key));

  /** Number of writes and restores since it was opened: while it stays the same, no row changes. Reads no database. */
  readonly version = (): number => this.#version;

  /**
   * Has the whole ledger looked at beside its use: what `look` finds wrong makes it `broken`. A restore, a reset and
   * the close abort it, wait for it and forget what it found. Rejects as `look` does.
   */
  readonly inspect = (look: Look): Promise<void> => this.#inspection.begin(look);

  /** Why the ledger cannot be written; null if it can. */
  readonly trouble = (): LedgerTrouble | null => this.#condition.trouble();

  /** Calls `changed` with each trouble when it begins, and with null when the last one is over. */
  readonly watch = (changed: (trouble: LedgerTrouble | null) => void): void => this.#condition.watch(changed);

  /**
   * Runs `work` after the commit of the surrounding transaction, in the order of the calls and before the next
   * transaction; never after a rollback; outside of a transaction at once. `work` is outside of the transaction, and
   * must not throw.
   */
  readonly afterCommit = (work: () => void): void => this.#queue.afterCommit(work);

  /** Refuses all later writes but those that recover: the books may be wrong. A restore or a reset lifts it. */
  readonly stop = (reason: string, cause?: unknown): void => this.#condition.begin({ kind: 'broken', reason, cause });

  /** Checks that the file is in its place, and whether an unwritable file can be written again. Cheap; never throws. */
  readonly check = async (): Promise<void> => {
    // In one turn: a restore that is under way has no file open.
    this.#lookForFile();
    if (!this.#condition.has('unwritable') || systemClock.monotonic() - this.#probedAt < probePause) return;
    this.#probedAt = systemClock.monotonic();
    await this.#alone(() => this.#storage.probe()).then(
      () => this.#condition.end('unwritable'),
      () => undefined,
    );
  };

  /** `last`: see {@link LastWrite}; a ledger in trouble does not do it. */
  readonly close = async (last?: LastWrite): Promise<void> => {
    if (this.#isClosed) return;
    await this.#alone(async () => {
      // Set before the await: work that waits behind it must not open the ledger again.
      this.#isClosed = true;
      await this.#inspection.without(() => Promise.resolve());
      await this.#storage.close(this.#condition.trouble() === null ? last : undefined);
    });
  };

  /** Does work between two transactions. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.exclusive(work, () => this.#requireOpen());
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#alone(() => this.#guarded(work));
  }

  #replacing<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusive(() => this.#inspection.without(work));
  }

  /** `restore` gives null when it has replaced nothing. */
  #restoring<T>(restore: () => Promise<T>): Promise<T> {
    return this.#replacing(async () => {
      this.#version += 1;
      const restored = await restore();
      if (restored !== null) for (const kind of ['broken', 'missing'] as const) this.#condition.end(kind);
      return restored;
    });
  }

  /** Turns errors of the file into LedgerUnavailable. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const trouble = error instanceof LedgerUnavailable ? null : troubleIn(error);
      if (trouble === null) throw error;
      if (!isBusy(error)) this.#condition.begin(trouble);
      throw new LedgerUnavailable(trouble);
    }
  }

  /** A write in which a broken invariant means broken books. */
  async #guardedBooks<T>(work: (tx: Writer) => Promise<T>, tx: Writer): Promise<T> {
    try {
      return await this.#guarded(() => work(tx));
    } catch (error) {
      if (error instanceof InvariantBroken) this.stop(error.message, error);
      throw error;
    }
  }

  #lookForFile(): void {
    if (this.#storage.isInPlace()) this.#condition.end('missing');
    else this.#condition.begin({ kind: 'missing', reason: 'the file of its ledger was taken away' });
  }

  #requireOpen(): void {
    if (this.#isClosed) throw ledgerClosed();
  }

  #requireWritable(evenWhenBroken: boolean): void {
    this.#requireOpen();
    this.#lookForFile();
    const trouble = this.#condition.trouble();
    if (trouble === null || trouble.kind === 'unwritable' || (trouble.kind === 'broken' && evenWhenBroken)) return;
    throw new LedgerUnavailable(trouble);
  }
}

const closedText = 'The bank is closed: it was taken away, or the server is stopping.';

/** For a request that comes to a bank that was removed, or after the server stopped: NOT_FOUND. */
function ledgerClosed(): Refusal {
  return new Refusal({ code: 'NOT_FOUND', text: closedText });
}

/** For long work that ends early because its bank closes: SYSTEM_ERROR, which says that the call may be sent again. */
export function cutShort(): Refusal {
  return new Refusal({ code: 'SYSTEM_ERROR', place: 'unavailable', text: closedText, retryAfter: 1 });
}

/** Size of the ledger in bytes, as {@link Ledger.image} gives it at most. */
export async function ledgerSize(reader: Reader): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(reader);
  return rows[0]?.bytes ?? 0;
}

/** The version of SQLite that keeps the ledger, `3.54.1`. */
export async function sqliteVersion(reader: Reader): Promise<string> {
  const { rows } = await sql<{ readonly version: string }>`select sqlite_version() as version`.execute(reader);
  return rows[0]?.version ?? '';
}

/** Drops and recreates every table inside the caller's transaction (rules.md D1). */
export async function recreateTables(transaction: Writer): Promise<void> {
  // Dropping a table looks up references to each of its rows, also from its own rows; without an index by a full scan
  // each time.
  await sql`create index reversing on direct_posting (reversed_by)`.execute(transaction);
  // Children are created after their parents and dropped before them: dropping a parent checks the foreign keys to it.
  for (const name of Object.keys(tables).toReversed()) await transaction.schema.dropTable(name).execute();
  await createTables(transaction);
}
