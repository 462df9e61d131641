import {
  DefaultQueryExecutor,
  type CompiledQuery,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
  type TransactionSettings,
} from 'kysely';
import type { Tables } from './tables.ts';
import type { Transactions } from './transactions.ts';

/** Kysely's SQLite dialect over the transactions of one open connection, which its opener closes. */
export class LedgerDialect implements Dialect {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  createDriver(): Driver {
    const transactions = this.#transactions;
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      init: nothing,
      acquireConnection: () => Promise.resolve(transactions),
      beginTransaction: async (_connection, { accessMode }: TransactionSettings) =>
        transactions.begin(accessMode === 'read only' ? 'read' : 'write'),
      commitTransaction: () => transactions.commit(),
      rollbackTransaction: async () => transactions.rollback(),
      releaseConnection: nothing,
      destroy: nothing,
    };
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

  /** The access of a transaction's work: it executes in the open transaction, and skips Kysely's wait for a connection. */
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
