import type BetterSqlite3 from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type QueryCompiler,
  SqliteDriver,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { InvariantBroken } from '../values/assert.ts';
import { decodeRows } from './codec.ts';
import { LoopShare } from './loop-share.ts';
import type { SideThread } from './side-thread.ts';

const maxCachedStatements = 500;

/** State of one connection. */
interface Doing {
  /** True inside a read-only transaction. */
  isReading: boolean;
}

/**
 * Kysely's SQLite dialect with these differences:
 * - Statements are prepared once and cached; the stock dialect prepares every query again and leaks the memory.
 * - Integers are decoded.
 * - A long transaction yields to the event loop.
 * - A write transaction takes the lock when it begins, as a deferred read-then-write ignores `busy_timeout`, and keeps the
 *   statement journal in memory: a run would write five times as much to a temporary file. Reads may sort in a file.
 * - A read transaction refuses every statement that could write.
 * - A transaction that SQLite rolled back itself, as on a full disk, is not rolled back again, so that the first error is
 *   the one thrown.
 */
export class LedgerDialect extends SqliteDialect {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #database: SqliteDatabase;
  readonly #thread: SideThread | null;
  readonly #doing: Doing;

  /** `thread`: makes the checkpoints of large commits; null for a ledger in memory. */
  constructor(sqlite: BetterSqlite3.Database, thread: SideThread | null) {
    const doing = { isReading: false };
    const database = { prepare: cachingPrepare(sqlite, doing), close: () => sqlite.close() } as SqliteDatabase;
    super({ database });
    this.#sqlite = sqlite;
    this.#database = database;
    this.#thread = thread;
    this.#doing = doing;
  }

  override createDriver(): Driver {
    return new LedgerDriver({
      sqlite: this.#sqlite,
      database: this.#database,
      doing: this.#doing,
      thread: this.#thread,
    });
  }

  override createQueryCompiler(): QueryCompiler {
    return new LedgerQueryCompiler();
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** After yielding this often, a transaction has written so much that the side thread makes its checkpoint. */
const passesOfLarge = 60;

/** Values of `wal_autocheckpoint`, in pages of the log: SQLite's default, and off. */
const checkpointAfter = { usual: 1_000, never: 0 };

interface DriverOptions {
  readonly sqlite: BetterSqlite3.Database;
  readonly database: SqliteDatabase;
  readonly doing: Doing;
  readonly thread: SideThread | null;
}

class LedgerDriver extends SqliteDriver {
  readonly #share: LoopShare;
  readonly #thread: SideThread | null;
  readonly #sqlite: BetterSqlite3.Database;
  readonly #doing: Doing;
  #writes = false;

  constructor({ sqlite, database, doing, thread }: DriverOptions) {
    super({ database });
    this.#sqlite = sqlite;
    this.#doing = doing;
    this.#thread = thread;
    this.#share = new LoopShare((passes) => {
      if (this.#writes && passes === passesOfLarge) thread?.start();
    });
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new SharingConnection(await super.acquireConnection(), this.#share);
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    this.#share.begin();
    this.#writes = settings?.accessMode !== 'read only';
    await perform(connection, `pragma temp_store = ${this.#writes ? 'memory' : 'default'}`);
    await perform(connection, this.#writes ? 'begin immediate' : 'begin');
    this.#doing.isReading = !this.#writes;
  }

  /**
   * A commit writes the log and syncs it. After a large one the side thread makes the checkpoint, which copies the log into
   * the file. The commit waits for it, so that the next write starts a new log instead of growing this one.
   */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#doing.isReading = false;
    if (this.#thread === null || !this.#writes || this.#share.passes < passesOfLarge) {
      return super.commitTransaction(connection);
    }
    await perform(connection, `pragma wal_autocheckpoint = ${checkpointAfter.never}`);
    try {
      await super.commitTransaction(connection);
    } finally {
      await perform(connection, `pragma wal_autocheckpoint = ${checkpointAfter.usual}`);
    }
    // The commit is durable even when the checkpoint fails; the next commit then makes one.
    await this.#thread.run('pragma wal_checkpoint(passive)').catch(() => undefined);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#doing.isReading = false;
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }

  override async destroy(): Promise<void> {
    await this.#thread?.stop();
    await super.destroy();
  }
}

async function perform(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

/** Yields to the event loop between two statements, and between two rows of a stream, once its share is used up. */
class SharingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #share: LoopShare;

  constructor(inner: DatabaseConnection, share: LoopShare) {
    this.#inner = inner;
    this.#share = share;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#share.isUsed()) return this.#inner.executeQuery(query);
    return this.#share.pass().then(() => this.#inner.executeQuery(query));
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    for await (const rows of this.#inner.streamQuery<Row>(query, chunkSize)) {
      if (this.#share.isUsed()) await this.#share.pass();
      yield rows;
    }
  }
}

/**
 * Writes a parameter as `+?`. Where a plan could depend on the value of a plain `?`, as in most joins, SQLite prepares the
 * statement again each time a value is bound: 15 us and more instead of 1.
 */
class LedgerQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** SQLite's DDL is transactional: a migration that fails half-way changes nothing. */
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
