import type BetterSqlite3 from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
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

/** What one connection is doing. */
interface Doing {
  /** A transaction that may not write. */
  isReading: boolean;
}

/**
 * Kysely's SQLite dialect with these differences: statements are prepared once and kept (the stock dialect
 * prepares every query anew and holds the memory), integers are decoded, a long transaction lets others have the event
 * loop, and a writing one takes the lock when it begins (a deferred read-then-write ignores `busy_timeout`) and keeps in
 * memory what a statement of many rows changed until it ends: a run would write five times as much to a temporary file.
 * What a read sorts may go to one. A reading transaction refuses every statement that could write. What SQLite rolled back
 * by itself, as it does when the disk is full, is not rolled back again: the cause stays what is thrown.
 */
export class LedgerDialect extends SqliteDialect {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #database: SqliteDatabase;
  readonly #thread: SideThread | null;
  readonly #doing: Doing;

  /** `thread`: of a ledger file, for what would hold the event loop. */
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

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** A transaction that let others in so often has written so much that its checkpoint is the side thread's. */
const passesOfLarge = 60;

/** The log's pages after which a commit makes a checkpoint, SQLite's own figure; and none at all. */
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
   * The commit writes the log and waits for the disk; the checkpoint of a large one, which writes it all once more into
   * the file, is left to the side thread. It is awaited, so that the next write begins the log anew instead of adding to it.
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
    // What was committed is kept, whatever becomes of the checkpoint: when it fails, the next commit makes one.
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

/** Lets others in between two statements, and between two rows of a stream, once it has had its share of the event loop. */
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
