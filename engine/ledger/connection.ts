import { type FileHandle, open as openHandle } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { Transaction } from 'kysely';
import { assert } from '../values/assert.ts';
import { isWindows } from './durable-file.ts';
import { LedgerDialect, Transactions } from './transactions.ts';
import { isUpToDate, migrate, migrations, type Migrations, requireSchema } from './schema.ts';
import { openSqlite } from './open-sqlite.ts';
import { SideThread } from './side-thread.ts';
import type { Tables } from './tables.ts';

/** An open database with up-to-date tables. */
export interface Connection {
  readonly sqlite: BetterSqlite3.Database;
  readonly transactions: Transactions;
  /** The access that the work of a transaction receives. */
  readonly access: OpenTransaction;
  /** For statements that would block the event loop. Null for a ledger in memory. Ends with the connection. */
  readonly thread: SideThread | null;
  /** The open files; none for a database in memory. */
  readonly files: readonly OpenFile[];
}

/** Access inside a transaction that the connection has begun. One object serves reads and writes. */
interface OpenTransaction {
  readonly reader: Transaction<Tables>;
  readonly writer: Transaction<Tables>;
}

/** Every {@link OpenTransaction.writer} with its database: the type does not tell a reader from a writer. */
export const writers = new WeakMap<object, BetterSqlite3.Database>();

/** `id` is device and inode, which differ if another file takes the name. */
interface OpenFile {
  readonly path: string;
  readonly id: string;
}

/** Ends the thread of a connection, then closes its database. */
export async function closeConnection({ thread, sqlite }: Pick<Connection, 'thread' | 'sqlite'>): Promise<void> {
  await thread?.stop();
  sqlite.close();
}

/**
 * {@link closeConnection} of a served file, which waits for the disk beside the event loop: the log is synced, then
 * written back without syncs, the file is synced, and only then the log is removed. So the closes of many files share
 * their waits. `last`: a last write, without a wait of its own. What fails is left to SQLite, which writes the log back
 * when it closes the file, or leaves it to the next opening.
 */
export async function closeFile(connection: Connection, last?: LastWrite): Promise<void> {
  const { thread, sqlite } = connection;
  await thread?.stop();
  const opened: FileHandle[] = [];
  const sync = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
    const file = await openHandle(path, flags);
    opened.push(file);
    await file.sync();
  };
  try {
    if (last !== undefined) {
      const log = `${sqlite.name}-wal`;
      const isNew = statSync(log).size === 0;
      // Neither mode syncs a commit. NORMAL syncs the header of a log that is written over, before the new frames. A
      // new log has no older frames, and needs no such sync.
      sqlite.pragma(`synchronous = ${isNew ? 'OFF' : 'NORMAL'}`);
      // An automatic checkpoint would run before the sync of the log.
      sqlite.pragma('wal_autocheckpoint = 0');
      await inTransaction(connection, 'write', last);
      await sync(log, 'r+');
      // The folder must have the name of a new log on the disk.
      if (isNew && !isWindows) await sync(dirname(sqlite.name), 'r');
    }
    sqlite.pragma('synchronous = OFF');
    // Others may be reading the log.
    const [done] = sqlite.pragma('wal_checkpoint(passive)') as { busy: bigint; log: bigint; checkpointed: bigint }[];
    assert(done?.busy === 0n && done.log === done.checkpointed, 'the whole log is written back');
    await sync(sqlite.name, 'r+');
  } catch {
    sqlite.pragma('synchronous = NORMAL');
  } finally {
    sqlite.close();
    // Closed earlier, a file would lose the locks that this process has on it.
    await Promise.all(opened.map((file) => file.close()));
  }
}

/**
 * The last write of a ledger that closes. The close brings it to the disk. If it fails, the ledger closes without it.
 * Its result is unused.
 */
export type LastWrite = (tx: Transaction<Tables>) => Promise<unknown>;

/** Does the work in one transaction: all or nothing. */
export async function inTransaction<T>(
  { transactions, access }: Connection,
  kind: 'read' | 'write',
  work: (access: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  transactions.begin(kind);
  try {
    const result = await work(kind === 'read' ? access.reader : access.writer);
    await transactions.commit();
    return result;
  } catch (error) {
    transactions.rollback();
    throw error;
  }
}

/**
 * Device and inode of the file with this name, and `more` facts of it, or null if it is missing or cannot be reached.
 */
export function fileId(
  path: string,
  more: readonly ('birthtimeNs' | 'size' | 'mtimeNs' | 'ctimeNs')[] = [],
): string | null {
  try {
    const facts = statSync(path, { bigint: true });
    return [facts.dev, facts.ino, ...more.map((name) => facts[name])].join('-');
  } catch {
    return null;
  }
}

/** True while every open file still has its name; writes to a file that lost its name are lost. */
export function isInPlace({ files }: Connection): boolean {
  return files.every(({ path, id }) => fileId(path) === id);
}

/**
 * Throws when the file cannot be written, for example on a full disk. Changes nothing and does not wait for other
 * programs.
 */
export function probeConnection({ sqlite }: Connection): void {
  sqlite.pragma('busy_timeout = 0');
  try {
    sqlite.exec('begin immediate; create table probe (id integer); drop table probe; commit');
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/** How long a write waits for another process that is writing the file, in ms. */
const busyTimeout = 5_000;

/** Page size of a new ledger, in bytes: fewer writes than with SQLite's default of 4 KiB. */
export const pageSize = 8_192;

/**
 * Page cache of a file, in KiB. With SQLite's default of 2,000 a run writes and reads pages repeatedly; a larger one
 * gains nothing.
 */
const cacheSize = 24_000;

/** Who wrote a database: this program, or perhaps somebody else. */
export type Author = 'we' | 'anybody';

/**
 * What a commit to a file survives (control-plane.md B4): `normal` the end of the process, `full` a power failure too,
 * as it waits for the disk. In either a power failure leaves the file whole.
 */
export type Durability = 'normal' | 'full';

/**
 * What is said of a database when it is opened. By default this program wrote it, with `normal` and the migrations of
 * this version.
 */
interface Opening {
  readonly author?: Author | undefined;
  readonly durability?: Durability;
  readonly wanted?: Migrations;
}

/**
 * Opens a file, an empty database for `:memory:`, or a serialized database in memory, and migrates its tables. The
 * schema of a database by `anybody` is checked before anything else is read. Throws LedgerRefused.
 */
export function openConnection(source: string | Buffer, opening: Opening = {}): Promise<Connection> {
  const isFile = typeof source === 'string' && source !== ':memory:';
  const synchronous = opening.durability === 'full' ? 'FULL' : 'NORMAL';
  return open(source, isFile ? synchronous : 'memory', opening);
}

/**
 * Opens a file that is not in use as a ledger yet, without syncs: the caller syncs the whole file once. Anybody may
 * have written it.
 */
export function openUnsynced(path: string): Promise<Connection> {
  return open(path, 'OFF', { author: 'anybody' });
}

async function open(
  source: string | Buffer,
  synchronous: keyof typeof levels | 'memory',
  { author = 'we', wanted = migrations }: Opening,
): Promise<Connection> {
  const isServed = synchronous === 'NORMAL' || synchronous === 'FULL';
  const sqlite = openSqlite(source);
  try {
    const upToDate = author === 'we' && isUpToDate(sqlite, wanted);
    if (!upToDate) await requireSchema(sqlite, wanted);
    sqlite.pragma(`page_size = ${pageSize}`);
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
    if (synchronous !== 'memory') logAhead(sqlite, synchronous);
    const thread = typeof source === 'string' && isServed ? new SideThread(source) : null;
    const transactions = new Transactions(sqlite, thread);
    const dialect = new LedgerDialect(transactions);
    if (!upToDate && !isUpToDate(sqlite, wanted)) await migrate(sqlite, wanted);
    const access = { reader: dialect.access(), writer: dialect.access() };
    writers.set(access.writer, sqlite);
    return { sqlite, transactions, access, thread, files: isServed ? openFiles(sqlite.name) : [] };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A ledger file, its log and the index of the log, which exist while the ledger is open. */
function openFiles(path: string): OpenFile[] {
  return [path, `${path}-wal`, `${path}-shm`].flatMap((name) => {
    const id = fileId(name);
    return id === null ? [] : [{ path: name, id }];
  });
}

const levels = { OFF: 0n, NORMAL: 1n, FULL: 2n };

function logAhead(sqlite: BetterSqlite3.Database, synchronous: keyof typeof levels): void {
  sqlite.pragma(`synchronous = ${synchronous}`);
  sqlite.pragma('journal_mode = WAL');
  // The first read makes the file of the log.
  sqlite.prepare('select 1 from sqlite_schema').get();
  sqlite.pragma(`cache_size = -${cacheSize}`);
  assert(sqlite.pragma('journal_mode', { simple: true }) === 'wal', 'the ledger file is in WAL mode');
  assert(
    sqlite.pragma('synchronous', { simple: true }) === levels[synchronous],
    `the ledger file is written with synchronous = ${synchronous}`,
  );
}

/** Carries out all migrations in the caller's transaction, in which there are no tables. */
export async function createTables(writer: Transaction<Tables>): Promise<void> {
  for (const { up } of Object.values(migrations)) await up(writer);
}
