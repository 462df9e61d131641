import type BetterSqlite3 from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { decodeRows } from './codec.ts';

const maxCachedStatements = 500;

/**
 * Kysely's SQLite dialect with four differences: statements are prepared once and kept (the stock dialect
 * prepares every query anew and holds the memory), integers are decoded, and a writing transaction takes the
 * lock when it begins (a deferred read-then-write ignores `busy_timeout`) and keeps in memory what a statement of many
 * rows changed until it ends: a run would write five times as much to a temporary file. What a read sorts may go to one.
 */
export class LedgerDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(sqlite: BetterSqlite3.Database) {
    const database = { prepare: cachingPrepare(sqlite), close: () => sqlite.close() } as SqliteDatabase;
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new LedgerDriver({ database: this.#database });
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

class LedgerDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const reads = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(`pragma temp_store = ${reads ? 'default' : 'memory'}`));
    await connection.executeQuery(CompiledQuery.raw(reads ? 'begin' : 'begin immediate'));
  }
}

/** SQLite's DDL is transactional: a migration that dies half-way leaves nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function cachingPrepare(sqlite: BetterSqlite3.Database): (text: string) => SqliteStatement {
  const cache = new Map<string, SqliteStatement>();
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const statement = decoding(sqlite.prepare(text));
    if (cache.size >= maxCachedStatements) {
      const oldest = cache.keys().next();
      if (!oldest.done) cache.delete(oldest.value);
    }
    cache.set(text, statement);
    return statement;
  };
}

function decoding(statement: BetterSqlite3.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => decodeRows(statement.all(parameters) as Record<string, unknown>[]),
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
  };
}
