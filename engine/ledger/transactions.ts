import type BetterSqlite3 from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  DefaultQueryExecutor,
  DummyDriver,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
  type TransactionSettings,
} from 'kysely';
import { Pauses } from './pauses.ts';
import type { SideThread } from './side-thread.ts';
import { InvariantBroken } from '../values/assert.ts';
import { decodeRows } from './queries.ts';
import type { Tables } from './tables.ts';

/** More than a bank uses at one time: `insertMany` alone has 36 texts for each of six sets of columns. */
const maxCachedStatements = 1_000;

type Parameters = readonly unknown[];

/**
 * The prepared statements of one connection, by their text: SQLite prepares each once. Unprepared ones would take twice
 * as long, and hold their memory for a turn of the event loop.
 */
class Statements {
  /** True inside a read-only transaction: a statement that could write throws. */
  isReading = false;
  readonly #sqlite: BetterSqlite3.Database;
  readonly #prepared = new Map<string, BetterSqlite3.Statement>();

  constructor(sqlite: BetterSqlite3.Database) {
    this.#sqlite = sqlite;
  }

  /** Carries out a statement and returns its rows, with integers decoded. */
  execute<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
    const statement = this.#allowed(sql);
    if (statement.reader) return { rows: decodeRows(statement.all(parameters) as Record<string, unknown>[]) as Row[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  /** The rows of a select one by one, integers as bigints. */
  iterate<Row>(text: string, parameters: Parameters): IterableIterator<Row> {
    return this.#allowed(text).iterate(parameters) as IterableIterator<Row>;
  }

  #allowed(text: string): BetterSqlite3.Statement {
    const statement = this.#prepared.get(text) ?? this.#prepare(text);
    if (this.isReading && !statement.readonly) throw new InvariantBroken(`a read of the ledger writes: ${text}`);
    return statement;
  }

  #prepare(text: string): BetterSqlite3.Statement {
    const statement = this.#sqlite.prepare(text);
    if (this.#prepared.size >= maxCachedStatements) {
      const oldest = this.#prepared.keys().next();
      if (!oldest.done) this.#prepared.delete(oldest.value);
    }
    this.#prepared.set(text, statement);
    return statement;
  }
}

/** After so many pauses a transaction has written so much that the side thread makes its checkpoint. */
const pausesOfLarge = 100;

/** Values of `wal_autocheckpoint`, in pages of the log: SQLite's default, and off. */
const checkpointAfter = { usual: 1_000, never: 0 };

const savepoint = 'member';
const part = 'part';

/**
 * The transactions of one connection, one at a time, and the statements inside them:
 * - A write transaction takes the lock when it begins, as a deferred read-then-write ignores `busy_timeout`, and keeps
 *   the statement journal in memory: a run would write five times as much to a temporary file. Reads of a file may sort
 *   in one.
 * - A read transaction refuses every statement that could write.
 * - A long transaction yields to the event loop between two statements, and between two rows of a stream.
 */
export class Transactions implements DatabaseConnection {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #thread: SideThread | null;
  readonly #statements: Statements;
  readonly #pauses = new Pauses();
  #isWrite = false;
  #isPart = false;
  #tempStore: 'default' | 'memory' = 'default';

  /** `thread`: makes the checkpoints of large commits; null for a ledger in memory. */
  constructor(sqlite: BetterSqlite3.Database, thread: SideThread | null) {
    this.#sqlite = sqlite;
    this.#thread = thread;
    this.#statements = new Statements(sqlite);
  }

  /** True when the transaction, or the part of it since {@link save}, has yielded to the event loop. */
  get hasYielded(): boolean {
    return this.#pauses.count > 0;
  }

  /** False after SQLite rolled the transaction back by itself, as on a full disk. */
  get isOpen(): boolean {
    return this.#sqlite.inTransaction;
  }

  /** Makes all later transactions parts of one, until {@link unwrap}. */
  wrap(): void {
    this.#perform('begin');
    this.#isPart = true;
  }

  /**
   * Takes back all that was done since {@link wrap}. Returns false if SQLite has rolled it back already, and what came
   * after stays.
   */
  unwrap(): boolean {
    this.#isPart = false;
    if (!this.isOpen) return false;
    this.#perform('rollback');
    return true;
  }

  begin(kind: 'read' | 'write'): void {
    this.#pauses.begin();
    this.#isWrite = kind === 'write';
    const tempStore = this.#isWrite || this.#thread === null ? 'memory' : 'default';
    if (this.#tempStore !== tempStore) this.#perform(`pragma temp_store = ${tempStore}`);
    this.#tempStore = tempStore;
    if (this.#isPart) this.#perform(`savepoint ${part}`);
    else this.#perform(this.#isWrite ? 'begin immediate' : 'begin');
    this.#statements.isReading = !this.#isWrite;
  }

  /** Begins a part of the transaction that can be taken back alone. Parts follow one another. */
  save(): void {
    this.#pauses.begin();
    this.#perform(`savepoint ${savepoint}`);
  }

  /** Ends the part that was begun last. */
  release(): void {
    this.#perform(`release ${savepoint}`);
  }

  /** Rolls back the part that was begun last, unless SQLite has rolled back the whole transaction. */
  takeBack(): void {
    if (!this.isOpen) return;
    this.#perform(`rollback to ${savepoint}`);
    this.release();
  }

  /**
   * Writes the log and syncs it. After a large transaction the side thread makes the checkpoint, which copies the log
   * into the file. The commit waits for it, so that the next write starts a new log instead of growing this one.
   */
  async commit(): Promise<void> {
    this.#statements.isReading = false;
    if (this.#isPart) return this.#perform(`release ${part}`);
    if (this.#thread === null || !this.#isWrite || this.#pauses.count < pausesOfLarge) return this.#perform('commit');
    this.#perform(`pragma wal_autocheckpoint = ${checkpointAfter.never}`);
    try {
      this.#perform('commit');
    } finally {
      this.#perform(`pragma wal_autocheckpoint = ${checkpointAfter.usual}`);
    }
    // The commit is durable even when the checkpoint fails; the next commit then makes one.
    await this.#thread.run('pragma wal_checkpoint(passive)').catch(() => undefined);
  }

  /**
   * A transaction that SQLite rolled back itself is not rolled back again, so that the first error is the one thrown.
   */
  rollback(): void {
    this.#statements.isReading = false;
    if (!this.isOpen) return;
    this.#perform(this.#isPart ? `rollback to ${part}` : 'rollback');
    if (this.#isPart) this.#perform(`release ${part}`);
  }

  async executeQuery<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    if (this.#pauses.isDue()) await this.#pause();
    return this.#statements.execute(query);
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#statements.iterate<Row>(sql, parameters)) {
      if (this.#pauses.isDue()) await this.#pause();
      yield { rows: [row] };
    }
  }

  async #pause(): Promise<void> {
    await this.#pauses.take();
    if (this.#isWrite && this.#pauses.count === pausesOfLarge) this.#thread?.start();
  }

  #perform(sql: string): void {
    this.#statements.execute({ sql, parameters: [] });
  }
}

/** Kysely's SQLite dialect over the transactions of one open connection, which its opener closes. */
export class LedgerDialect implements Dialect {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  createDriver(): Driver {
    const transactions = this.#transactions;
    return Object.assign(new DummyDriver(), {
      acquireConnection: () => Promise.resolve(transactions),
      beginTransaction: async (_connection: DatabaseConnection, { accessMode }: TransactionSettings) =>
        transactions.begin(accessMode === 'read only' ? 'read' : 'write'),
      commitTransaction: () => transactions.commit(),
      rollbackTransaction: async () => transactions.rollback(),
    });
  }

  createQueryCompiler(): QueryCompiler {
    return new LedgerQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }

  createIntrospector(kysely: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(kysely);
  }

  /**
   * The access of a transaction's work: it executes in the open transaction, and skips Kysely's wait for a connection.
   */
  access(): Transaction<Tables> {
    const executor = new OpenExecutor(this.#transactions, this.createQueryCompiler(), this.createAdapter());
    return new Transaction<Tables>({ config: { dialect: this }, dialect: this, driver: this.createDriver(), executor });
  }
}

class OpenExecutor extends DefaultQueryExecutor {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions, compiler: QueryCompiler, adapter: DialectAdapter) {
    super(compiler, adapter, { provideConnection: (consumer) => consumer(transactions) });
    this.#transactions = transactions;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#transactions.executeQuery(query);
  }
}

/**
 * Writes a parameter as `+?`. Where a plan could depend on the value of a plain `?`, as in most joins, SQLite prepares
 * the statement again each time a value is bound: 15 us and more instead of 1.
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
