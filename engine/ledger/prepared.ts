import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Reader } from './database.ts';

/** Places of a query for values that are given each time it is executed, by their names. */
export type Given<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

/** A query of Kysely, or of `sql`. */
interface Query<Row> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** A parameter of the compiled query in whose place a given value comes. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({}, { get: (_target, name) => sql.val(new Place(String(name))) });

/**
 * A query that is built and compiled when it is first executed, and then only executed: building and compiling take longer than
 * SQLite takes. `build` gets a place for each value, with which it does what it would do with the value; it decides nothing, and takes
 * places by their names, not by rest or spread.
 * `const byId = prepared((db: Reader, given: Given<{ id: number }>) => db.selectFrom('account').selectAll().where('id', '=', given.id))`,
 * then `await byId(reader, { id })`.
 */
export function prepared<Access extends Reader, Values extends object, Row>(
  build: (db: Access, given: Given<Values>) => Query<Row>,
): (access: Access, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | null = null;
  return async (access, values) => {
    compiled ??= build(access, places as Given<Values>).compile(access);
    const parameters: unknown[] = [];
    for (const parameter of compiled.parameters) {
      parameters.push(parameter instanceof Place ? values[parameter.name as keyof Values] : parameter);
    }
    const { rows } = await access.getExecutor().executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
