import {
  CompiledQuery,
  type Insertable,
  type QueryExecutorProvider,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely';

import { assert } from '../values/assert.ts';
import { partSize } from '../values/lists.ts';
import type { Reader, Tables, Writer } from './tables.ts';

/** Placeholders of a query, by name, for the values of each execution. */
export type Given<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

/** The placeholders of these columns, to write them all. */
export function placesOf<Values, Name extends keyof Values & string>(
  given: Given<Values>,
  columns: readonly Name[],
): Given<Pick<Values, Name>> {
  return Object.fromEntries(columns.map((name) => [name, given[name]])) as Given<Pick<Values, Name>>;
}

/** A query of Kysely, or of `sql`. */
interface Query<Row> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** A row that a function reads: of the rows that it returns, or of the query that it builds. */
export type RowFrom<Read extends (...given: never[]) => unknown> =
  Awaited<ReturnType<Read>> extends readonly (infer Row)[]
    ? Readonly<Row>
    : Awaited<ReturnType<Read>> extends Query<infer Row>
      ? Readonly<Row>
      : never;

/** A parameter of the compiled query that stands for a given value. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({}, { get: (_target, name) => sql.val(new Placeholder(String(name))) });

/**
 * A query that is built and compiled only once, at its first execution: both take longer than the execution in SQLite.
 * `build` gets a placeholder for each value and uses it like the value. `build` must not branch on a value, and must
 * read placeholders by name, without rest or spread. `const byId = prepared((db: Reader, given: Given<{ id: number }>)
 * => db.selectFrom('account').selectAll().where('id', '=', given.id))`, then `await byId(reader, { id })`.
 */
export function prepared<Access extends Reader, Values extends object, Row>(
  build: (db: Access, given: Given<Values>) => Query<Row>,
): (access: Access, values: Values) => Promise<Row[]> {
  const execute = executing(build);
  return async (access, values) => (await execute(access, values)).rows;
}

/** Prepares a query of one row at most, as {@link prepared} does. Its result is undefined if there is no row. */
export function preparedOne<Access extends Reader, Values extends object, Row>(
  build: (db: Access, given: Given<Values>) => Query<Row>,
): (access: Access, values: Values) => Promise<Row | undefined> {
  const execute = executing(build);
  return async (access, values) => (await execute(access, values)).rows[0];
}

function executing<Access extends Reader, Values extends object, Row>(
  build: (db: Access, given: Given<Values>) => Query<Row>,
): (access: Access, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | null = null;
  return (access, values) => {
    compiled ??= build(access, places as Given<Values>).compile(access);
    const parameters: unknown[] = [];
    for (const parameter of compiled.parameters) {
      parameters.push(parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter);
    }
    const { query, queryId, sql: text } = compiled;
    return access.getExecutor().executeQuery<Row>({ query, queryId, sql: text, parameters });
  };
}

/**
 * Numbers of rows per statement. Every small number has a statement, so a day's few dozen rows take one statement.
 * Large numbers serve runs of thousands: SQLite copies each changed page once per statement, and entries are spread
 * over many pages, so few large statements copy far less. A larger number than the largest gains nothing, and keeps the
 * event loop for longer. There are few large numbers, because each has a prepared statement in the cache.
 */
const sizes = [4_000, 500, 128, 64, ...Array.from({ length: 32 }, (_, index) => 32 - index)];

/** SQLite's limit of parameters. */
const maxParameters = 32_766;

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & string;

/**
 * The statements without values, by table and columns and by number of rows. Building a statement takes as long as
 * inserting a row.
 */
const statements = new Map<string, Map<number, CompiledQuery>>();

function statementOf(key: string, size: number, build: () => string): CompiledQuery {
  let built = statements.get(key);
  if (built === undefined) statements.set(key, (built = new Map()));
  let statement = built.get(size);
  if (statement === undefined) built.set(size, (statement = CompiledQuery.raw(build())));
  return statement;
}

/** The last statement of {@link insertRow} for a table. */
const lastInserts = new Map<
  string,
  { readonly verb: string; readonly columns: readonly string[]; readonly statement: CompiledQuery }
>();

/** Inserts a row and returns its id. `replace`: in place of a row with the same key. */
export async function insertRow<Table extends keyof Tables>(
  tx: Writer,
  table: Table,
  row: Insertable<Tables[Table]>,
  verb: 'insert' | 'replace' = 'insert',
): Promise<number> {
  const columns = Object.keys(row);
  // The same columns as last time need no key for a search.
  let last = lastInserts.get(table);
  if (
    last?.verb !== verb ||
    columns.length !== last.columns.length ||
    !columns.every((one, at) => one === last?.columns[at])
  ) {
    const key = `${table} ${columns.join()} ${verb}`;
    const statement = statementOf(key, 1, () => insertText(table, columns, [], 1).replace(/^insert/, verb));
    lastInserts.set(table, (last = { verb, columns, statement }));
  }
  const { statement } = last;
  const { insertId } = await tx.getExecutor().executeQuery({ ...statement, parameters: Object.values(row) });
  assert(insertId !== undefined, 'an insert has an id');
  return Number(insertId);
}

/** Rows to insert: one for each item, in order. */
interface NewRows<Table extends keyof Tables, Item> {
  readonly columns: readonly ColumnOf<Table>[];
  readonly items: readonly Item[];
  /** The values of `columns`. */
  readonly rowOf: (item: Item, index: number) => readonly Cell[];
  /** The values that all rows share. */
  readonly shared?: { readonly [Name in ColumnOf<Table>]?: Cell };
}

/**
 * Inserts rows. Kysely builds a statement of many rows slower than SQLite inserts them.
 */
export async function insertMany<Table extends keyof Tables, Item>(
  tx: Writer,
  table: Table,
  { columns, items, rowOf, shared = {} }: NewRows<Table, Item>,
): Promise<void> {
  const sharedCells: readonly unknown[] = Object.values(shared);
  const key = `${table} ${columns.join()} ${Object.keys(shared).join()}`;
  let start = 0;
  for (const size of sizes) {
    if (start + size > items.length) continue;
    if (sharedCells.length + size * columns.length > maxParameters) continue;
    const statement = statementOf(key, size, () => insertText(table, columns, Object.keys(shared), size));
    for (; start + size <= items.length; start += size) {
      const cells = [...sharedCells];
      for (let index = start; index < start + size; index += 1) cells.push(...rowOf(items[index] as Item, index));
      await tx.getExecutor().executeQuery({ ...statement, parameters: cells });
    }
  }
}

/**
 * Numbers of rows per statement of {@link insertRows}: a few statements take any number of rows, so that a short-lived
 * bank prepares few.
 */
const orderedSizes = [256, 64, 16, 4, 1];

/** Rows to insert in their order, so many. */
interface OrderedRows<Name> {
  readonly columns: readonly Name[];
  readonly count: number;
  /** The values of `columns`; called in order, shortly before the row is written. */
  readonly rowOf: (index: number) => readonly Cell[];
}

/** Inserts rows with their keys, in order. */
async function insertRows<Table extends keyof Tables>(
  tx: Writer,
  table: Table,
  { columns, count, rowOf }: OrderedRows<string>,
): Promise<void> {
  const key = `${table} ${columns.join()} in order`;
  let start = 0;
  for (const size of orderedSizes) {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const statement = statementOf(key, size, () => {
      return `insert into ${table} (${columns.join(', ')}) values ${Array<string>(size).fill(row).join(', ')}`;
    });
    for (; start + size <= count; start += size) {
      const cells: Cell[] = [];
      for (let index = start; index < start + size; index += 1) cells.push(...rowOf(index));
      await tx.getExecutor().executeQuery({ ...statement, parameters: cells });
    }
  }
}

/**
 * Inserts rows in order under the next keys of their table, `id`, and returns the first of these keys. As the rows have
 * keys, SQLite need not order them.
 */
export async function insertInOrder<Table extends keyof Tables>(
  tx: Writer,
  table: Table,
  { columns, count, rowOf }: OrderedRows<ColumnOf<Table>>,
): Promise<number> {
  const last = statementOf(`${table} last`, 0, () => `select max(id) as id from ${table}`);
  const { rows } = await tx.getExecutor().executeQuery<{ readonly id: number | null }>(last);
  const first = Number(rows[0]?.id ?? 0) + 1;
  await insertRows(tx, table, {
    columns: ['id', ...columns],
    count,
    rowOf: (index) => [first + index, ...rowOf(index)],
  });
  return first;
}

function insertText(table: string, columns: readonly string[], shared: readonly string[], size: number): string {
  const into = `insert into ${table} (${[...shared, ...columns].join(', ')})`;
  // A single row needs no order.
  if (size === 1) return `${into} values (${[...shared, ...columns].map(() => '?').join(', ')})`;
  const selected = [...shared.map(() => '?'), ...columns.map((_, index) => `column${index + 1}`)].join(', ');
  const places = columns.map(() => '?').join(', ');
  const values = Array.from({ length: size }, (_, index) => `(${places}, ${index})`).join(', ');
  return `${into} select ${selected} from (values ${values}) order by column${columns.length + 1}`;
}

/**
 * Rows of plain values, from their JSON, as a table `rows` with columns `c0`, `c1`, ..., `width` of them: to join with
 * or to update from. To insert rows, use `insertMany`.
 */
export function rowsIn(json: RawBuilder<unknown>, width: number): RawBuilder<unknown> {
  const columns = Array.from(
    { length: width },
    (_, index) => sql`value ->> ${sql.lit(index)} as ${sql.raw(`c${index}`)}`,
  );
  return sql`(select ${sql.join(columns)} from json_each(${json})) as rows`;
}

/** Keys as a table of one column, for `in`. Cheaper than {@link rowsIn}. */
export function keysTable<Key extends number | string>(keys: Iterable<Key>): RawBuilder<Key> {
  return keysIn<Key>(sql`${JSON.stringify([...keys])}`);
}

/** The table of {@link keysTable} from the JSON of its keys. */
export function keysIn<Key extends number | string>(json: RawBuilder<unknown>): RawBuilder<Key> {
  return sql`(select value from json_each(${json}))`;
}

/**
 * Converts bigints to numbers, in place. The ledger reads every integer as a bigint, because SQLite's integers are
 * wider than a JavaScript number. Columns of money are named `*_minor` and stay bigint; every other integer (ids,
 * instants, counts, flags) becomes a number. Throws beyond 2^53.
 */
export function decodeRows(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const first = rows[0];
  if (first === undefined) return rows;
  const plain = Object.keys(first).filter((column) => !column.endsWith('_minor'));
  for (const row of rows) {
    for (const column of plain) {
      const value = row[column];
      if (typeof value === 'bigint') row[column] = exactNumber(value, column);
    }
  }
  return rows;
}

function exactNumber(value: bigint, column: string): number {
  const number = Number(value);
  // The text is built only on failure: a large run decodes a million integers.
  if (!Number.isSafeInteger(number)) assert(false, `${column} holds ${value}, beyond 2^53`);
  return number;
}

/** A value of a bulk write. */
export type Cell = string | number | bigint | null;

/**
 * Rows as one JSON text, for `json_each`. Writes bigints as plain numbers, unlike JSON.stringify; SQLite reads them as
 * 64-bit integers. JSON.stringify is faster for rows without bigints.
 */
export function rowsAsJson(rows: readonly (readonly Cell[])[]): string {
  const cellAsJson = (cell: Cell): string => (typeof cell === 'string' ? JSON.stringify(cell) : String(cell));
  return `[${rows.map((row) => `[${row.map(cellAsJson).join(',')}]`).join(',')}]`;
}

/** A boolean in SQLite. */
export type Flag = 0 | 1;
export const flagFor = (value: boolean): Flag => (value ? 1 : 0);

const half = 1_000_000_000n;

/**
 * Sums amounts whose total can exceed 64 bits, where SQLite's sum() fails: high and low parts are summed separately and
 * returned as one text, which {@link wholeSum} reads. Null when there is nothing to sum.
 */
export function wideSum(amount: RawBuilder<unknown>): RawBuilder<string | null> {
  const { high, low } = wideParts(amount);
  return joinParts(high, low);
}

/** The two sums of {@link wideSum}, for sums of sums. */
export function wideParts(amount: RawBuilder<unknown>): { high: RawBuilder<bigint>; low: RawBuilder<bigint> } {
  return { high: sql`sum((${amount}) / ${half})`, low: sql`sum((${amount}) % ${half})` };
}

/** Joins the two sums of {@link wideParts} into the text that {@link wholeSum} reads. */
export function joinParts(high: RawBuilder<bigint>, low: RawBuilder<bigint>): RawBuilder<string | null> {
  return sql`${high} || ' ' || ${low}`;
}

/** Reads the text of {@link wideSum}; null is zero. */
export function wholeSum(parts: string | null): bigint {
  if (parts === null) return 0n;
  const [high, low] = parts.split(' ');
  assert(high !== undefined && low !== undefined, `a sum in two parts: ${parts}`);
  return BigInt(high) * half + BigInt(low);
}

/**
 * Keys of payments and executions have the day on which they are due in their high digits, and a count below. So what a
 * run reads and changes lies side by side in every table and index, however long ago and between whatever else it was
 * initiated.
 */
export const keysOfDay = 2 ** 30;

/** The key before the first one of a day; of none: 0. */
export function keyBefore(date: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(coalesce(unixepoch(${date}) / 86400, 0) * ${sql.lit(keysOfDay)})`;
}

/** The count in the key of a row of `alias`, written as in the index `payment_in_order`. */
export function countIn(alias: string): RawBuilder<number> {
  return sql`${sql.ref(`${alias}.id`)} % ${sql.lit(keysOfDay)}`;
}

/** Inserts the rows of a select into the same table of another ledger. */
export async function copyRows<Table extends keyof Tables>(
  from: Reader,
  to: Writer,
  table: Table,
  select: RawBuilder<unknown>,
): Promise<readonly Record<string, Cell>[]> {
  const { rows } = await (select as RawBuilder<Record<string, Cell>>).execute(from);
  const columns = Object.keys(rows[0] ?? {});
  await insertRows(to, table, { columns, count: rows.length, rowOf: (index) => Object.values(rows[index] ?? {}) });
  return rows;
}

/** Inserts all rows of a table with keys into the same table of another ledger, a page after the other. */
export async function copyTable(from: Reader, to: Writer, table: TableWithKeys): Promise<void> {
  for (let last = 0, read = partSize; read === partSize;) {
    const page = sql`select * from ${sql.table(table)} where id > ${last} order by id limit ${partSize}`;
    const rows = await copyRows(from, to, table, page);
    [last, read] = [Number(rows.at(-1)?.['id']), rows.length];
  }
}

/** The tables whose rows have a key. */
type TableWithKeys = { [Name in keyof Tables]: 'id' extends keyof Tables[Name] ? Name : never }[keyof Tables];

/** The tables whose rows have a resource id. */
type TableWithIds = {
  [Name in keyof Tables]: Tables[Name] extends { resource_id: string } ? Name : never;
}[keyof Tables];

/** Up to so many rows take less time one by one: SQLite prepares the statement for many slower. */
const fewRows = 64;

/** Gives every row of a table a new resource id, in the order of their keys. */
export async function renewResourceIds(tx: Writer, table: TableWithIds, newId: () => string): Promise<void> {
  const name = sql.table(table);
  const { rows: keys } = await sql<{ readonly id: number }>`select id from ${name} order by id`.execute(tx);
  if (keys.length <= fewRows) {
    const one = CompiledQuery.raw(`update ${table} set resource_id = ? where id = ?`);
    for (const { id } of keys) await tx.getExecutor().executeQuery({ ...one, parameters: [newId(), id] });
    return;
  }
  const rows = rowsIn(sql`${JSON.stringify(keys.map(({ id }) => [id, newId()]))}`, 2);
  await sql`update ${name} set resource_id = rows.c1 from ${rows} where rows.c0 = ${name}.id`.execute(tx);
}
