import BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import { closeConnection, openConnection } from './connection.ts';
import type { Reader } from './database.ts';
import { LedgerDialect } from './driver.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/** A ledger file as somebody sees it who changes nothing in it. */
export interface InspectedFile {
  readonly reader: Reader;
  /** Whether this program's migrations have all been made: an older ledger has other tables. */
  readonly isUpToDate: boolean;
  close(): Promise<void>;
}

/**
 * Opens a ledger file to look at it, by a connection of its own that cannot write. Throws FileDamaged for a file whose
 * pages, indexes, references or tables are not those of a ledger, and what SQLite throws for one it cannot read.
 */
export async function inspectFile(path: string): Promise<InspectedFile> {
  // Opened `readonly`, SQLite would leave the CHECK constraints out of its integrity check.
  const sqlite = new BetterSqlite3(path, { fileMustExist: true });
  const kysely = new Kysely<Tables>({ dialect: new LedgerDialect(sqlite, null) });
  try {
    sqlite.pragma('query_only = on');
    sqlite.defaultSafeIntegers(true);
    requireSound(sqlite);
    const isUpToDate = hasAllMigrations(sqlite);
    if (isUpToDate) await requireTables(sqlite);
    return { reader: kysely, isUpToDate, close: () => closeConnection({ kysely, sqlite }) };
  } catch (error) {
    await closeConnection({ kysely, sqlite });
    throw error;
  }
}

/** What is wrong with a ledger file, in a few words. */
export class FileDamaged extends Error {}

/** Every page, row and index, and every reference between rows. */
function requireSound(sqlite: BetterSqlite3.Database): void {
  const [problem] = sqlite.prepare<[], string>('pragma integrity_check(1)').pluck().all();
  if (problem !== 'ok') throw new FileDamaged((problem ?? 'it cannot be checked').split('\n').slice(0, 2).join(' '));
  const dangling = sqlite.prepare<[], string>('select "table" from pragma_foreign_key_check limit 1').pluck().get();
  if (dangling !== undefined) throw new FileDamaged(`a row of ${dangling} refers to one that is not there`);
}

function hasAllMigrations(sqlite: BetterSqlite3.Database): boolean {
  const table = sqlite.prepare(`select 1 from sqlite_schema where name = 'kysely_migration'`).get();
  if (table === undefined) return false;
  const made = sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all();
  return made.join() === Object.keys(migrations).join();
}

/** The tables, indexes and triggers are those that the migrations make, to the letter. */
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

/** The text of each table, index and trigger, by its kind and name; SQLite's own and Kysely's left out. */
function schemaOf(sqlite: BetterSqlite3.Database): Map<string, string | null> {
  const rows = sqlite
    .prepare<[], readonly [string, string | null]>(
      `select type || ' ' || name, sql from sqlite_schema where name not like 'sqlite%' and tbl_name not like 'kysely%'`,
    )
    .raw()
    .all();
  return new Map(rows);
}
