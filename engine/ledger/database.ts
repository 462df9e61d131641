import { AsyncLocalStorage } from 'node:async_hooks';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, type RawBuilder, type Transaction as KyselyTransaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { assert } from '../core/assert.ts';
import { rowsAsJson, type Cell } from './codec.ts';
import { LedgerDialect } from './driver.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/** What reading repositories take: a consistent view of the whole ledger. */
export type Reader = Kysely<Tables>;
/** What writing repositories take: only {@link Ledger.write} makes one. */
export type Transaction = KyselyTransaction<Tables>;

/** One bank's ledger. Every access is a transaction; they follow one another, never nest. */
export interface Ledger {
  /** Reads from one consistent view. Throws when called inside another `read` or `write`. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** All or nothing, durable when the promise is fulfilled. Throws when called inside another `read` or `write`. */
  write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long a writer waits for another process that holds the file, in ms. */
const busyTimeout = 5_000;

/** The page cache of a file, in KiB: what a run of 100,000 payments over a long history touches, so that it writes no page twice. */
const cacheSize = 64_000;

/**
 * Opens the ledger at a path, or in memory for `:memory:`, and brings its tables up to date.
 * A file is opened with WAL and FULL, asserted: a commit that was answered survives the death of the machine.
 */
export async function openLedger(path: string): Promise<Ledger> {
  const sqlite = new BetterSqlite3(path);
  sqlite.defaultSafeIntegers(true);
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  if (path !== ':memory:') makeDurable(sqlite);
  const kysely = new Kysely<Tables>({ dialect: new LedgerDialect(sqlite) });
  await migrate(kysely);
  return ledgerOver(kysely);
}

function makeDurable(sqlite: BetterSqlite3.Database): void {
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma(`cache_size = -${cacheSize}`);
  assert(sqlite.pragma('journal_mode', { simple: true }) === 'wal', 'the ledger file is in WAL mode');
  assert(sqlite.pragma('synchronous', { simple: true }) === 2n, 'the ledger file is written with synchronous = FULL');
}

async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('the ledger could not be brought up to date', { cause: error });
}

function ledgerOver(kysely: Kysely<Tables>): Ledger {
  // Kysely hangs for ever when its own transaction is entered twice on one connection: fail at once instead.
  const inside = new AsyncLocalStorage<true>();
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    assert(inside.getStore() === undefined, 'a ledger transaction was begun inside another: pass the transaction on');
    return inside.run(true, work);
  };
  return {
    read: (work) => alone(() => kysely.transaction().setAccessMode('read only').execute(work)),
    write: (work) => alone(() => kysely.transaction().execute(work)),
    close: () => kysely.destroy(),
  };
}

/**
 * Rows of plain values as a table named `rows` with the columns `c0`, `c1`, ...: what a bulk write selects from.
 * One of the few places where SQLite and PostgreSQL differ.
 */
export function rowsTable(rows: readonly (readonly Cell[])[]): RawBuilder<unknown> {
  const columns = (rows[0] ?? []).map((_, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(`c${index}`)}`);
  return sql`(select ${sql.join(columns)} from json_each(${rowsAsJson(rows)})) as ${sql.ref('rows')}`;
}

/** Keys as a table of one column, for `in`: cheaper than {@link rowsTable}, as nothing is taken out of a row. */
export function keysTable(keys: Iterable<number>): RawBuilder<number> {
  return sql`(select value from json_each(${JSON.stringify([...keys])}))`;
}

/** Removes every table and lays the schema anew, inside the caller's transaction (rules.md D1). */
export async function layTablesAnew(transaction: Transaction): Promise<void> {
  // Children first: dropping a parent checks the foreign keys that point at it.
  for (const { down } of Object.values(migrations).reverse()) await down?.(transaction);
  for (const { up } of Object.values(migrations)) await up(transaction);
}
