import { sql } from 'kysely';
import { realpath } from 'node:fs/promises';
import { InvariantBroken } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import { createTables, type LastWrite, writers } from './connection.ts';
import { systemDisk, type Disk } from './ledger-files.ts';
import { FileStorage } from './file-storage.ts';
import { requireSound } from './schema.ts';
import {
  Inspection,
  type Look,
  isBusy,
  LedgerCondition,
  LedgerUnavailable,
  troubleIn,
  type LedgerTrouble,
} from './ledger-condition.ts';
import {
  CopyStorage,
  MemoryStorage,
  type Beginning,
  type LedgerStorage,
  type Preparation,
  type SavedSnapshot,
} from './storage.ts';
import { type Reader, tables, type Writer } from './tables.ts';
import { TransactionQueue } from './transaction-queue.ts';
import { systemClock } from '../time/clock.ts';

export { FileDamaged, LedgerOutdated } from './schema.ts';
export { LedgerUnavailable, type LedgerTrouble } from './ledger-condition.ts';
export type { Beginning, SavedSnapshot } from './storage.ts';
export type { NewRow, Reader, Row, Writer } from './tables.ts';

export function isWriting(reader: Reader): reader is Writer {
  return writers.has(reader);
}

/** Hears of the writes of a ledger. */
interface WriteWatch {
  /** One commit, of all writes that share it. */
  committed(): void;
  /** A write took this long from its call to its commit, in ms. Not told of a long one. */
  waited(ms: number): void;
}

interface WriteOptions {
  /** Writes although the books may be wrong. Only for moving the clock by hand, to find or to pass the fault. */
  readonly evenWhenBroken?: boolean;
  /** Shares no commit with other writes, which would wait for it. */
  readonly isLong?: boolean;
}

/**
 * One bank's ledger and its snapshots. Every access is a transaction; transactions run one after the other and never nest.
 * Throws LedgerUnavailable when the file cannot be used; the next call tries again.
 */
export type Ledger = ReturnType<typeof ledgerOver>;

/** Time between two tries of a file that could not be written, in ms. */
const probePause = 500;

/**
 * Opens the ledger at a path, or a new one in memory for `:memory:`, and brings its tables up to date. A new one has empty tables, or
 * starts as `beginning`.
 */
export async function openLedger(
  path: string,
  disk: Disk = systemDisk,
  beginning: Beginning | null = null,
): Promise<Ledger> {
  // A restore replaces the file; with a symbolic link it must not replace the link.
  const storage =
    path === ':memory:' ? new MemoryStorage(null) : new FileStorage(await realpath(path).catch(() => path), disk);
  if (beginning !== null) await storage.begin(beginning);
  await storage.connection();
  return ledgerOver(storage);
}

/** Opens an image of a ledger in memory, checked as a file is, and brings its tables up to date. Throws FileDamaged and LedgerOutdated. */
export async function openLedgerImage(image: Buffer): Promise<Ledger> {
  const storage = new MemoryStorage(image);
  requireSound((await storage.connection()).sqlite);
  return ledgerOver(storage);
}

/** An empty ledger in memory, for a copy of some rows ({@link copyRows}): references to rows that are left out are not checked. */
export async function openCopy(): Promise<Ledger> {
  return ledgerOver(await CopyStorage.open());
}

function ledgerOver(storage: LedgerStorage) {
  const condition = new LedgerCondition();
  const inspection = new Inspection((damage) =>
    condition.begin({ kind: 'broken', reason: `its ledger is damaged: ${damage}` }),
  );
  let isClosed = false;
  let version = 0;
  let probedAt = -Infinity;
  let watch: WriteWatch | null = null;
  const queue = new TransactionQueue(storage, () => {
    version += 1;
    watch?.committed();
  });
  const timed = async <T>(write: () => Promise<T>): Promise<T> => {
    const begun = systemClock.monotonic();
    const result = await write();
    watch?.waited(systemClock.monotonic() - begun);
    return result;
  };
  const requireOpen = (): void => {
    if (isClosed) throw ledgerClosed();
  };
  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => queue.exclusive(work, requireOpen);
  const replacing = <T>(work: () => Promise<T>): Promise<T> => runExclusive(() => inspection.without(work));
  /** Turns errors of the file into LedgerUnavailable. `isWrite`: a broken invariant then means broken books. */
  const guarded = async <T>(isWrite: boolean, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LedgerUnavailable) throw error;
      if (isWrite && error instanceof InvariantBroken) {
        condition.begin({ kind: 'broken', reason: error.message, cause: error });
      }
      const trouble = troubleIn(error);
      if (trouble === null) throw error;
      if (!isBusy(error)) condition.begin(trouble);
      throw new LedgerUnavailable(trouble);
    }
  };
  /** `restore` gives null when it has replaced nothing. */
  const restoring = <T>(restore: () => Promise<T>): Promise<T> =>
    replacing(async () => {
      version += 1;
      const restored = await guarded(false, restore);
      if (restored !== null) for (const kind of ['broken', 'missing'] as const) condition.end(kind);
      return restored;
    });
  const lookForFile = (): void => {
    if (storage.isInPlace()) condition.end('missing');
    else condition.begin({ kind: 'missing', reason: 'the file of its ledger was taken away' });
  };
  const requireWritable = (evenWhenBroken: boolean): void => {
    requireOpen();
    lookForFile();
    const trouble = condition.trouble();
    if (trouble === null || trouble.kind === 'unwritable' || (trouble.kind === 'broken' && evenWhenBroken)) return;
    throw new LedgerUnavailable(trouble);
  };
  return {
    /** Reads from one consistent view. Throws when called inside another `read` or `write`. */
    read: <T>(work: (reader: Reader) => Promise<T>): Promise<T> => guarded(false, () => queue.read(work, requireOpen)),
    /**
     * All or nothing, durable when the promise is fulfilled. Throws when called inside another `read` or `write`, and
     * LedgerUnavailable while the file is missing or the books may be wrong. A broken invariant ends all later writes.
     */
    write: <T>(
      work: (tx: Writer) => Promise<T>,
      { evenWhenBroken = false, isLong = false }: WriteOptions = {},
    ): Promise<T> => {
      // Guarded twice: a broken invariant is known before the next write begins, a failed commit after the last one.
      const write = (): Promise<T> =>
        guarded(true, () =>
          queue.write((tx) => guarded(true, () => work(tx)), {
            isLong,
            permit: () => requireWritable(evenWhenBroken),
          }),
        );
      return isLong ? write() : timed(write);
    },
    /**
     * Announces work under way that may call {@link write} in the turn in which it settles. Writes that would commit earlier wait for
     * it, a few ms at most, and share its commit. The promise must settle.
     */
    expect: (underWay: Promise<unknown>): void => queue.expect(underWay),
    /**
     * A write and then a snapshot, with nothing in between. `work` returns the bank time of the snapshot; null: no snapshot.
     */
    writeAndSave: (key: string, work: (tx: Writer) => Promise<Instant | null>): Promise<Instant | null> =>
      replacing(async () => {
        requireWritable(true);
        const at = await guarded(true, () => queue.writeNow(work));
        condition.end('broken');
        if (at !== null) await guarded(false, () => storage.save({ key, at }));
        return at;
      }),
    /** Saves a snapshot and replaces an earlier one with this key. `timeOf` reads its bank time. */
    save: (key: string, timeOf: (reader: Reader) => Promise<Instant>): Promise<SavedSnapshot> =>
      runExclusive(async () => {
        const snapshot = { key, at: await guarded(false, () => queue.readNow(timeOf)) };
        await guarded(false, () => storage.save(snapshot));
        return snapshot;
      }),
    /** Replaces the ledger by a snapshot, changed by `prepare`. All or nothing. Null: there is no such snapshot. */
    restore: (key: string, prepare: Preparation): Promise<SavedSnapshot | null> =>
      restoring(() => storage.restore(key, prepare)),
    /** Replaces the ledger by an image of it, see {@link image}, changed by `prepare`. All or nothing. */
    restoreImage: (bytes: Buffer, prepare: Beginning['prepare']): Promise<void> =>
      restoring(() => storage.restoreImage(bytes, prepare)),
    snapshots: (): Promise<SavedSnapshot[]> => runExclusive(() => guarded(false, () => storage.list())),
    /** False: there is no such snapshot. */
    removeSnapshot: (key: string): Promise<boolean> => runExclusive(() => guarded(false, () => storage.remove(key))),
    /** The whole ledger as the bytes of one SQLite file, and what `read` reads, with nothing in between. */
    image: <T>(work: (reader: Reader) => Promise<T>): Promise<{ readonly bytes: Buffer; readonly read: T }> =>
      runExclusive(async () => ({
        read: await guarded(false, () => queue.readNow(work)),
        bytes: await guarded(false, () => storage.image()),
      })),
    /** Number of writes and restores since it was opened: while it stays the same, no row changes. Reads no database. */
    version: (): number => version,
    /**
     * Has the whole ledger looked at beside its use: what `look` finds wrong makes it `broken`. A restore, a reset and the close abort it,
     * wait for it and forget what it found. Rejects as `look` does.
     */
    inspect: (look: Look): Promise<void> => inspection.begin(look),
    /** Why the ledger cannot be written; null if it can. */
    trouble: (): LedgerTrouble | null => condition.trouble(),
    /** Calls `changed` with each trouble when it begins, and with null when the last one is over. */
    watch: (changed: (trouble: LedgerTrouble | null) => void): void => condition.watch(changed),
    /** Tells `watch` of each commit and of each write. */
    watchWrites: (given: WriteWatch): void => {
      watch = given;
    },
    /**
     * Runs `work` after the commit of the surrounding transaction, in the order of the calls and before the next transaction; never
     * after a rollback; outside of a transaction at once. `work` is outside of the transaction, and must not throw.
     */
    afterCommit: (work: () => void): void => queue.afterCommit(work),
    /** Refuses all later writes but those that recover: the books may be wrong. A restore or a reset lifts it. */
    stop: (reason: string, cause?: unknown): void => condition.begin({ kind: 'broken', reason, cause }),
    /** Checks that the file is in its place, and whether an unwritable file can be written again. Cheap; never throws. */
    check: async (): Promise<void> => {
      // In one turn: a restore that is under way has no file open.
      lookForFile();
      if (!condition.has('unwritable') || systemClock.monotonic() - probedAt < probePause) return;
      probedAt = systemClock.monotonic();
      await runExclusive(() => storage.probe()).then(
        () => condition.end('unwritable'),
        () => undefined,
      );
    },
    /** `last`: see {@link LastWrite}; a ledger in trouble does not do it. */
    close: async (last?: LastWrite): Promise<void> => {
      if (isClosed) return;
      await runExclusive(async () => {
        // Set before the await: work that waits behind it must not open the ledger again.
        isClosed = true;
        await inspection.without(() => Promise.resolve());
        await storage.close(condition.trouble() === null ? last : undefined);
      });
    },
  };
}

/** For a request that was running when its bank was removed or the server stopped. */
export function ledgerClosed(): Refusal {
  return new Refusal({ code: 'NOT_FOUND', text: 'The bank is closed: it was taken away, or the server is stopping.' });
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
  // Dropping a table looks up references to each of its rows, also from its own rows; without an index by a full scan each time.
  await sql`create index reversing on direct_posting (reversed_by)`.execute(transaction);
  // Children are created after their parents and dropped before them: dropping a parent checks the foreign keys to it.
  for (const name of Object.keys(tables).toReversed()) await transaction.schema.dropTable(name).execute();
  await createTables(transaction);
}
