import type BetterSqlite3 from 'better-sqlite3';
import type { CompiledQuery, QueryResult } from 'kysely';
import { InvariantBroken } from '../values/assert.ts';
import { decodeRows } from './codec.ts';

/** Above what a bank uses at one time: `insertMany` alone has 36 texts for each table and set of columns, of which there are six. */
const maxCachedStatements = 1_000;

type Parameters = readonly unknown[];

/**
 * The prepared statements of one connection, by their text: SQLite prepares each once. Unprepared ones would take twice as
 * long, and hold their memory for a turn of the event loop.
 */
export class Statements {
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
