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
import { InvariantBroken } from '../core/assert.ts';
import { decodeRows } from './codec.ts';

const maxCachedStatements = 500;

/** What one connection is doing. */
interface Doing {
  /** A transaction that may not write. */
  isReading: boolean;
}

/**
 * Kysely's SQLite dialect with six differences: statements are prepared once and kept (the stock dialect
 * prepares every query anew and holds the memory), integers are decoded, and a writing transaction takes the
 * lock when it begins (a deferred read-then-write ignores `busy_timeout`) and keeps in memory what a statement of many
 * rows changed until it ends: a run would write five times as much to a temporary file. What a read sorts may go to one.
 * A reading transaction refuses every statement that could write. What SQLite rolled back by itself, as it does when
 * the disk is full, is not rolled back again: the cause stays what is thrown.
 */
export class LedgerDialect extends SqliteDialect {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #database: SqliteDatabase;
  readonly #doing: Doing;

  constructor(sqlite: BetterSqlite3.Database) {
    const doing = { isReading: false };
    const database = { prepare: cachingPrepare(sqlite, doing), close: () => sqlite.close() } as SqliteDatabase;
    super({ database });
    this.#sqlite = sqlite;
    this.#database = database;
    this.#doing = doing;
  }

  override createDriver(): Driver {
    return new LedgerDriver(this.#sqlite, this.#database, this.#doing);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

class LedgerDriver extends SqliteDriver {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #doing: Doing;

  constructor(sqlite: BetterSqlite3.Database, database: SqliteDatabase, doing: Doing) {
    super({ database });
    this.#sqlite = sqlite;
    this.#doing = doing;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const reads = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(`pragma temp_store = ${reads ? 'default' : 'memory'}`));
    await connection.executeQuery(CompiledQuery.raw(reads ? 'begin' : 'begin immediate'));
    this.#doing.isReading = reads;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#doing.isReading = false;
    await super.commitTransaction(connection);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#doing.isReading = false;
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite's DDL is transactional: a migration that dies half-way leaves nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function cachingPrepare(sqlite: BetterSqlite3.Database, doing: Doing): (text: string) => SqliteStatement {
  const cache = new Map<string, SqliteStatement>();
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const statement = decoding(sqlite.prepare(text), doing);
    if (cache.size >= maxCachedStatements) {
      const oldest = cache.keys().next();
      if (!oldest.done) cache.delete(oldest.value);
    }
    cache.set(text, statement);
    return statement;
  };
}

function decoding(statement: BetterSqlite3.Statement, doing: Doing): SqliteStatement {
  const { reader, readonly } = statement;
  const requireAllowed = (): void => {
    if (doing.isReading && !readonly) throw new InvariantBroken(`a read of the ledger writes: ${statement.source}`);
  };
  return {
    reader,
    all: (parameters) => {
      requireAllowed();
      return decodeRows(statement.all(parameters) as Record<string, unknown>[]);
    },
    run: (parameters) => {
      requireAllowed();
      return statement.run(parameters);
    },
    iterate: (parameters) => {
      requireAllowed();
      return statement.iterate(parameters) as IterableIterator<unknown>;
    },
  };
}
