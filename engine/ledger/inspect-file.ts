import BetterSqlite3 from 'better-sqlite3';
import { closeConnection, isUpToDate, openConnection, type Connection } from './connection.ts';
import type { Reader } from './database.ts';
import { LedgerDialect } from './driver.ts';
import { Transactions } from './transactions.ts';

/** A ledger file opened for reading only. */
export interface InspectedFile {
  readonly reader: Reader;
  /** False: not all migrations have run, so its tables may differ. */
  readonly isUpToDate: boolean;
  close(): Promise<void>;
}

/**
 * Opens a ledger file with a connection that cannot write, and checks it. Throws FileDamaged when its pages, indexes,
 * foreign keys or tables are not those of a ledger, and SQLite's error when it cannot be read.
 */
export async function inspectFile(path: string): Promise<InspectedFile> {
  // Not opened `readonly`: SQLite's integrity check would then skip the CHECK constraints.
  const sqlite = new BetterSqlite3(path, { fileMustExist: true });
  const close = (): Promise<void> => closeConnection({ sqlite, thread: null });
  try {
    sqlite.pragma('query_only = on');
    sqlite.defaultSafeIntegers(true);
    requireSound(sqlite);
    const upToDate = isUpToDate(sqlite);
    if (upToDate) await requireTables(sqlite);
    const reader = new LedgerDialect(new Transactions(sqlite, null)).access();
    return { reader, isUpToDate: upToDate, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Checks an open database whose migrations have run, as {@link inspectFile} does a file. Throws FileDamaged. */
export async function inspectOpen({ sqlite }: Pick<Connection, 'sqlite'>): Promise<void> {
  requireSound(sqlite);
  await requireTables(sqlite);
}

/** The message says in a few words what is wrong with the file. */
class FileDamaged extends Error {}

/** Checks every page, row, index and foreign key. */
function requireSound(sqlite: BetterSqlite3.Database): void {
  const [problem] = sqlite.prepare<[], string>('pragma integrity_check(1)').pluck().all();
  if (problem !== 'ok') throw new FileDamaged((problem ?? 'it cannot be checked').split('\n').slice(0, 2).join(' '));
  const dangling = sqlite.prepare<[], string>('select "table" from pragma_foreign_key_check limit 1').pluck().get();
  if (dangling !== undefined) throw new FileDamaged(`a row of ${dangling} refers to one that is not there`);
}

/** Checks that tables, indexes and triggers have exactly the SQL of a new ledger. */
async function requireTables(sqlite: BetterSqlite3.Database): Promise<void> {
  const fresh = await openConnection(':memory:');
  try {
    const wanted = schemaOf(fresh.sqlite);
    const found = schemaOf(sqlite);
    for (const [what, text] of wanted) {
      if (!found.has(what)) throw new FileDamaged(`the ${what} is missing`);
      if (found.get(what) !== text) throw new FileDamaged(`the ${what} is not the ledger's`);
    }
    for (const what of found.keys()) if (!wanted.has(what)) throw new FileDamaged(`the ${what} is not the ledger's`);
  } finally {
    await closeConnection(fresh);
  }
}

/** SQL of each table, index and trigger by kind and name, without SQLite's and Kysely's own. */
function schemaOf(sqlite: BetterSqlite3.Database): Map<string, string | null> {
  const rows = sqlite
    .prepare<[], readonly [string, string | null]>(
      `select type || ' ' || name, sql from sqlite_schema where name not like 'sqlite%' and tbl_name not like 'kysely%'`,
    )
    .raw()
    .all();
  return new Map(rows);
}
