import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type Kysely, type RawBuilder, type Transaction as KyselyTransaction } from 'kysely';
import { realpath } from 'node:fs/promises';
import { assert, InvariantBroken } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import { rowsAsJson, type Cell } from './codec.ts';
import { systemDisk, type Disk } from './durable-file.ts';
import { FileStorage } from './file-storage.ts';
import { isBusy, LedgerCondition, LedgerUnavailable, troubleIn, type LedgerTrouble } from './ledger-condition.ts';
import { MemoryStorage } from './memory-storage.ts';
import { migrations } from './migrations/index.ts';
import type { LedgerStorage, Preparation, SavedSnapshot } from './storage.ts';
import type { Tables } from './tables.ts';

export { LedgerOutdated } from './connection.ts';
export { LedgerUnavailable, type LedgerTrouble } from './ledger-condition.ts';
export type { SavedSnapshot } from './storage.ts';

/**
 * What reading repositories take: a consistent view of the whole ledger. It selects; raw SQL that could write is refused
 * when it is executed.
 */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'getExecutor'>;
/** What writing repositories take: only {@link Ledger.write} makes one. */
export type Writer = KyselyTransaction<Tables>;

/** The transactions that may write: by its type alone a reader may be one. */
const writing = new WeakSet<Reader>();

export function isWriting(reader: Reader): reader is Writer {
  return writing.has(reader);
}

/** Which writes go on when the books may be wrong: those alone that move the clock by hand, to find out or to get past it. */
export interface WriteOptions {
  readonly evenWhenBroken?: boolean;
}

/**
 * One bank's ledger and its snapshots. Every access is a transaction; they follow one another, never nest. What the file
 * refuses is a LedgerUnavailable; the next call tries again.
 */
export interface Ledger {
  /** Reads from one consistent view. Throws when called inside another `read` or `write`. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * All or nothing, durable when the promise is fulfilled. Throws when called inside another `read` or `write`, and
   * LedgerUnavailable while the file is missing or the books may be wrong. A broken invariant ends all later writes.
   */
  write<T>(work: (transaction: Writer) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * A write, and a copy of what it leaves, with nothing in between. `work` answers what the bank clock then shows; null
   * keeps no copy.
   */
  writeAndSave(key: string, work: (transaction: Writer) => Promise<Instant | null>): Promise<Instant | null>;
  /** Keeps a copy of everything, in the place of an earlier one with this key. `timeOf` reads what its bank clock shows. */
  save(key: string, timeOf: (reader: Reader) => Promise<Instant>): Promise<SavedSnapshot>;
  /** Puts a snapshot in the place of everything. All or nothing; `prepare` belongs to it. Null: there is no such snapshot. */
  restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null>;
  snapshots(): Promise<SavedSnapshot[]>;
  /** False: there is no such snapshot. */
  removeSnapshot(key: string): Promise<boolean>;
  /** Counts what was written and restored since it was opened: the same number, the same rows. Reads no database. */
  version(): number;
  /** Gives back what an open ledger costs, until it is used again. */
  suspend(): Promise<void>;
  /** What keeps it from being written; null: nothing. */
  trouble(): LedgerTrouble | null;
  /** `told` hears of each trouble when it begins, and of null when the last one is over. */
  watch(told: (trouble: LedgerTrouble | null) => void): void;
  /** Ends all later writes but those that recover: the books may be wrong. A restore, or laying them anew, lifts it. */
  stop(reason: string, cause?: unknown): void;
  /** Looks whether the file is in its place, and, while it could not be written, whether it can be again. Cheap; never throws. */
  check(): Promise<void>;
  /**
   * Does this once the transaction around the call is committed, in the order of the calls and before the next transaction begins;
   * not when it is rolled back. Outside of a transaction: at once. `work` must not throw, and is outside of the transaction.
   */
  afterCommit(work: () => void): void;
  close(): Promise<void>;
}

/** How often a file that could not be written is tried, in ms. */
const probePause = 500;

/** Opens the ledger at a path, or a new one in memory for `:memory:`, and brings its tables up to date. */
export async function openLedger(path: string, disk: Disk = systemDisk): Promise<Ledger> {
  // A restore puts another file in the ledger's place: in that of the file, not of a link to it.
  const storage =
    path === ':memory:' ? new MemoryStorage() : new FileStorage(await realpath(path).catch(() => path), disk);
  await storage.kysely();
  return ledgerOver(storage);
}

function ledgerOver(storage: LedgerStorage): Ledger {
  // Kysely hangs for ever when its own transaction is entered twice on one connection: fail at once instead.
  // What it holds waits for the commit.
  const inside = new AsyncLocalStorage<(() => void)[] | undefined>();
  const condition = new LedgerCondition();
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let version = 0;
  let probedAt = -Infinity;
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    assert(inside.getStore() === undefined, 'a ledger transaction was begun inside another: pass the transaction on');
    const result = last.then(() => {
      if (isClosed) throw ledgerClosed();
      return inside.run([], async () => {
        const result = await work();
        runWaiting();
        return result;
      });
    });
    last = result.catch(() => {});
    return result;
  };
  /** Does what waits for the commit, outside of the transaction: it may ask for one of its own. */
  const runWaiting = (): void => {
    const waiting = inside.getStore()?.splice(0) ?? [];
    inside.run(undefined, () => waiting.forEach((work) => work()));
  };
  /** What the file refuses becomes a LedgerUnavailable; `isWrite`: a broken invariant is one of the books. */
  const guarded = async <T>(isWrite: boolean, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isWrite && error instanceof InvariantBroken) {
        condition.begin({ kind: 'broken', reason: error.message, cause: error });
      }
      const trouble = troubleIn(error);
      if (trouble === null) throw error;
      if (!isBusy(error)) condition.begin(trouble);
      throw new LedgerUnavailable(trouble);
    }
  };
  const requireWritable = (evenWhenBroken: boolean): void => {
    const trouble = condition.trouble();
    if (trouble === null || trouble.kind === 'unwritable' || (trouble.kind === 'broken' && evenWhenBroken)) return;
    throw new LedgerUnavailable(trouble);
  };
  const read = async <T>(work: (reader: Reader) => Promise<T>): Promise<T> =>
    guarded(false, async () => (await storage.kysely()).transaction().setAccessMode('read only').execute(work));
  const write = async <T>(work: (tx: Writer) => Promise<T>): Promise<T> =>
    guarded(true, async () => {
      const kysely = await storage.kysely();
      const result = await kysely.transaction().execute((tx) => work(markWriting(tx)));
      version += 1;
      runWaiting();
      return result;
    });
  return {
    read: (work) => alone(() => read(work)),
    write: (work, { evenWhenBroken = false } = {}) =>
      alone(() => {
        requireWritable(evenWhenBroken);
        return write(work);
      }),
    writeAndSave: (key, work) =>
      alone(async () => {
        requireWritable(true);
        const at = await write(work);
        condition.end('broken');
        if (at !== null) await guarded(false, () => storage.save({ key, at }));
        return at;
      }),
    save: (key, timeOf) =>
      alone(async () => {
        const snapshot = { key, at: await read(timeOf) };
        await guarded(false, () => storage.save(snapshot));
        return snapshot;
      }),
    restore: (key, prepare) =>
      alone(async () => {
        version += 1;
        const restored = await guarded(false, () => storage.restore(key, (tx, at) => prepare(markWriting(tx), at)));
        if (restored !== null) for (const kind of ['broken', 'missing'] as const) condition.end(kind);
        return restored;
      }),
    snapshots: () => alone(() => guarded(false, () => storage.list())),
    removeSnapshot: (key) => alone(() => guarded(false, () => storage.remove(key))),
    version: () => version,
    suspend: () => alone(() => storage.suspend()),
    trouble: () => condition.trouble(),
    watch: (told) => condition.watch(told),
    afterCommit: (work) => {
      const waiting = inside.getStore();
      if (waiting === undefined) work();
      else waiting.push(work);
    },
    stop: (reason, cause) => condition.begin({ kind: 'broken', reason, cause }),
    check: async () => {
      // In one turn: a restore that is under way has no file open.
      if (storage.isInPlace()) condition.end('missing');
      else condition.begin({ kind: 'missing', reason: 'the file of its ledger was taken away' });
      if (!condition.has('unwritable') || performance.now() - probedAt < probePause) return;
      probedAt = performance.now();
      await alone(() => storage.probe()).then(
        () => condition.end('unwritable'),
        () => undefined,
      );
    },
    close: async () => {
      if (isClosed) return;
      await alone(async () => {
        // In the same turn: what waits behind it must not open the ledger again.
        isClosed = true;
        await storage.close();
      });
    },
  };
}

function markWriting(tx: Writer): Writer {
  writing.add(tx);
  return tx;
}

/** For a request that was under way when its bank was taken away, or the server stopped. */
function ledgerClosed(): Refusal {
  return new Refusal({ code: 'NOT_FOUND', text: 'The bank is closed: it was taken away, or the server is stopping.' });
}

/**
 * Rows of plain values as a table named `rows` with the columns `c0`, `c1`, ...: to join with, or to update from. New rows go
 * in by `insertMany`.
 * One of the few places where SQLite and PostgreSQL differ.
 */
export function rowsTable(rows: readonly (readonly Cell[])[]): RawBuilder<unknown> {
  const [first = []] = rows;
  const name = (index: number): RawBuilder<unknown> => sql.raw(`c${index}`);
  // A single row needs no JSON: most payments have one transfer.
  if (rows.length === 1) {
    return sql`(select ${sql.join(first.map((cell, index) => sql`${cell} as ${name(index)}`))}) as rows`;
  }
  const columns = first.map((_, index) => sql`value ->> ${sql.lit(index)} as ${name(index)}`);
  return sql`(select ${sql.join(columns)} from json_each(${rowsAsJson(rows)})) as rows`;
}

/** Keys, or numbers of accounts, as a table of one column, for `in`: cheaper than {@link rowsTable}, as nothing is taken out of a row. */
export function keysTable<Key extends number | string>(keys: Iterable<Key>): RawBuilder<Key> {
  return sql`(select value from json_each(${JSON.stringify([...keys])}))`;
}

/** Removes every table and lays the schema anew, inside the caller's transaction (rules.md D1). */
export async function recreateTables(transaction: Writer): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`select name from ${bankTables} order by made desc`.execute(
    transaction,
  );
  // Dropping a table looks for what refers to each of its rows, its own rows too: without an index, in all of them each time.
  await sql`create index reversing on direct_posting (reversed_by)`.execute(transaction);
  // Children first, which are made after their parents: dropping a parent checks the foreign keys that point at it.
  for (const { name } of rows) await transaction.schema.dropTable(name).execute();
  for (const { up } of Object.values(migrations)) await up(transaction);
}

/** The tables of the bank by `name`, `made` in that order; Kysely's own hold no rows of the bank. */
export const bankTables: RawBuilder<unknown> = sql`(select name, rowid as made from sqlite_schema
  where type = 'table' and name not like 'kysely%' and name not like 'sqlite%')`;
