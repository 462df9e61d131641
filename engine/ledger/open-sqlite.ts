import BetterSqlite3 from 'better-sqlite3';

/**
 * Opens a database that may come from anybody: a file, `:memory:`, or a serialized one, which is copied into memory.
 * What its schema says is not trusted, so that it calls no function with side effects; defensive mode keeps SQL from
 * changing the schema table and other internals.
 */
export function openSqlite(source: string | Buffer, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  const sqlite = new BetterSqlite3(source, options);
  try {
    // Defensive mode is on unless `unsafeMode(true)` is called: only the migrations do.
    sqlite.unsafeMode(false);
    sqlite.pragma('trusted_schema = off');
    sqlite.pragma('cell_size_check = on');
    sqlite.defaultSafeIntegers(true);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
