import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { assert } from '../values/assert.ts';
import { LedgerDialect } from './driver.ts';
import { migrations } from './migrations/index.ts';
import { SideThread } from './side-thread.ts';
import type { Tables } from './tables.ts';

/** One open database, its tables up to date. */
export interface Connection {
  readonly sqlite: BetterSqlite3.Database;
  readonly kysely: Kysely<Tables>;
  /** Of a ledger file; null for a ledger in memory. Ends with the connection. */
  readonly thread: SideThread | null;
  /** The files that are open; none of a database in memory. */
  readonly files: readonly OpenFile[];
}

/** Device and inode tell a file from another one under the same name. */
interface OpenFile {
  readonly path: string;
  readonly id: string;
}

/** Kysely closes a database only once it has used it. */
export async function closeConnection({ kysely, sqlite }: Pick<Connection, 'kysely' | 'sqlite'>): Promise<void> {
  await kysely.destroy();
  sqlite.close();
}

/** Device and inode of the file that has this name now; null: there is none, or it cannot be reached any more. */
export function fileId(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}-${ino}`;
  } catch {
    return null;
  }
}

/** Whether every open file still has its name: what is written to one without a name is lost. */
export function isInPlace({ files }: Connection): boolean {
  return files.every(({ path, id }) => fileId(path) === id);
}

/** Takes a page more and gives it back, durably: a disk that is full refuses it. Does not wait for another program. */
export function probeConnection({ sqlite }: Connection): void {
  sqlite.pragma('busy_timeout = 0');
  try {
    sqlite.exec('begin immediate; create table probe (id integer); drop table probe; commit');
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/** The tables of a file could not be brought up to date: a newer program made them, or another one did. */
export class LedgerOutdated extends Error {
  readonly reason: string;

  constructor(cause: unknown) {
    super('the ledger could not be brought up to date', { cause });
    this.reason = cause instanceof Error ? cause.message : String(cause);
  }
}

/** How long a writer waits for another process that holds the file, in ms. */
const busyTimeout = 5_000;

/** The pages of a new ledger, in bytes: it is written in fewer pieces than with SQLite's own 4 KiB. */
export const pageSize = 8_192;

/** The page cache of a file, in KiB: with SQLite's own 2,000 a run writes and reads its pages again and again; more than this gains nothing. */
const cacheSize = 24_000;

/**
 * Opens a file, an empty database for `:memory:`, or in memory what this process serialized before. A file is opened
 * with WAL and FULL, asserted: a commit that was answered survives the death of the machine.
 */
export function openConnection(source: string | Buffer): Promise<Connection> {
  return open(source, typeof source === 'string' && source !== ':memory:' ? 'FULL' : 'memory');
}

/** Opens a file that is nobody's ledger yet: it is faster to write without waiting, and to sync it as a whole. */
export function openUnsynced(path: string): Promise<Connection> {
  return open(path, 'OFF');
}

async function open(source: string | Buffer, synchronous: 'FULL' | 'OFF' | 'memory'): Promise<Connection> {
  const sqlite = new BetterSqlite3(source);
  try {
    sqlite.defaultSafeIntegers(true);
    sqlite.pragma(`page_size = ${pageSize}`);
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
    if (synchronous !== 'memory') logAhead(sqlite, synchronous);
    const thread = typeof source === 'string' && synchronous === 'FULL' ? new SideThread(source) : null;
    const kysely = new Kysely<Tables>({ dialect: new LedgerDialect(sqlite, thread) });
    if (!isUpToDate(sqlite)) await migrate(kysely);
    return { sqlite, kysely, thread, files: synchronous === 'FULL' ? openFiles(sqlite.name) : [] };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A ledger and its log, which stays as long as somebody has the ledger open. */
function openFiles(path: string): OpenFile[] {
  return [path, `${path}-wal`].flatMap((name) => {
    const id = fileId(name);
    return id === null ? [] : [{ path: name, id }];
  });
}

const levels = { OFF: 0n, FULL: 2n };

function logAhead(sqlite: BetterSqlite3.Database, synchronous: keyof typeof levels): void {
  sqlite.pragma(`synchronous = ${synchronous}`);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma(`cache_size = -${cacheSize}`);
  assert(sqlite.pragma('journal_mode', { simple: true }) === 'wal', 'the ledger file is in WAL mode');
  assert(
    sqlite.pragma('synchronous', { simple: true }) === levels[synchronous],
    `the ledger file is written with synchronous = ${synchronous}`,
  );
}

/** Whether every migration has been made: the migrator asks for that in more words, and every restore asks. */
function isUpToDate(sqlite: BetterSqlite3.Database): boolean {
  const isNew = sqlite.prepare(`select 1 from sqlite_schema where name = 'kysely_migration'`).get() === undefined;
  if (isNew) return false;
  const made = sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all();
  return made.join() === Object.keys(migrations).join();
}

async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new LedgerOutdated(error);
}
