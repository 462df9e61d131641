import type BetterSqlite3 from 'better-sqlite3';
import { oneLine } from '../values/text.ts';
import {
  appliedTo,
  FileDamaged,
  LedgerOutdated,
  migrate,
  firstOfOlder,
  migrations,
  type Migrations,
} from './migrate.ts';
import { openSqlite } from './open-sqlite.ts';

/** A row of `sqlite_schema`. In a database that somebody has patched each value may be anything. */
type SchemaRow = readonly [type: unknown, name: unknown, table: unknown, sql: unknown];

/** The text of each object, by its kind, its name and the table that it belongs to; null: SQLite made it for a constraint. */
type Schema = ReadonlyMap<string, string | null>;

/**
 * The tables that Litestream makes in a database that it follows, by name, with the text of every version (control-plane.md B1, H). A
 * served file may have them; nothing else of a ledger knows them.
 */
export const followerTables: ReadonlyMap<string, string> = new Map([
  ['_litestream_seq', 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)'],
  ['_litestream_lock', 'CREATE TABLE _litestream_lock (id INTEGER)'],
]);

/** Where a database is: in a file that a server serves, which others may follow, or in a copy of it. */
export type Place = 'served' | 'copy';

/** Those that were made in this process, by the names of their migrations. */
const schemas = new Map<string, Schema>();

/**
 * Requires that a database has exactly the tables, indexes, triggers and views that the migrations make which have run in it, by text and
 * whatever their names begin with (control-plane.md B1), and nothing yet when none has run. Reads the schema table only, so that nothing in
 * the database runs: call it before anything else reads or changes the database. A served file may also have {@link followerTables}.
 * Throws FileDamaged, and LedgerOutdated for the database of a newer version or of another program.
 */
export async function requireSchema(
  sqlite: BetterSqlite3.Database,
  place: Place,
  wanted: Migrations = migrations,
): Promise<void> {
  const rows = sqlite.prepare<[], SchemaRow>('select type, name, tbl_name, sql from sqlite_schema').raw();
  if (rows.get() === undefined) return;
  if (sqlite.pragma('encoding', { simple: true }) !== 'UTF-8') throw new FileDamaged('its texts are not in UTF-8');
  const applied = appliedTo(sqlite);
  if (applied.includes(firstOfOlder))
    throw new LedgerOutdated('a version before 0.1.0 made it, whose ledgers this version does not read');
  const names = Object.keys(wanted);
  const later = applied.find((name) => !names.includes(name));
  if (later !== undefined) throw new LedgerOutdated(`a newer version of Sandbank made it, with ${oneLine(later, 60)}`);
  if (applied.some((name, index) => name !== names[index]))
    throw new FileDamaged('a migration before its last one has not run');
  const schema = await schemaAfter(applied.length, wanted);
  const missing = new Set(schema.keys());
  for (const row of rows.iterate()) {
    const key = keyOf(row);
    if (place === 'served' && isOfFollower(row)) continue;
    if (missing.has(key) && schema.get(key) === row[3]) missing.delete(key);
    else if (applied.length === 0) throw new LedgerOutdated(`it is no ledger, and has the ${named(key)}`);
    else throw new FileDamaged(`the ${named(key)} is not the ledger's`);
  }
  const [first] = missing;
  // A process that died before the first migration leaves one table of Kysely's, or both.
  if (first !== undefined && applied.length > 0) throw new FileDamaged(`the ${named(first)} is missing`);
}

/** The schema of a ledger after the first `count` migrations; after none, of Kysely's tables alone. */
async function schemaAfter(count: number, wanted: Migrations): Promise<Schema> {
  const first = Object.fromEntries(Object.entries(wanted).slice(0, Math.max(count, 1)));
  const cached = `${count} ${Object.keys(first).join()}`;
  const known = schemas.get(cached);
  if (known !== undefined) return known;
  const sqlite = openSqlite(':memory:');
  try {
    await migrate(sqlite, first);
    const rows = sqlite.prepare<[], SchemaRow>('select type, name, tbl_name, sql from sqlite_schema').raw().all();
    const ofCount = count > 0 ? rows : rows.filter(([, , table]) => String(table).startsWith('kysely_'));
    const schema = new Map(ofCount.map((row) => [keyOf(row), row[3] as string | null]));
    schemas.set(cached, schema);
    return schema;
  } finally {
    sqlite.close();
  }
}

function isOfFollower([type, name, table, text]: SchemaRow): boolean {
  return type === 'table' && name === table && typeof text === 'string' && followerTables.get(String(name)) === text;
}

function keyOf([type, name, table]: SchemaRow): string {
  return JSON.stringify([type, name, table].map(String));
}

/** `table account` */
function named(key: string): string {
  const [type = '', name = ''] = JSON.parse(key) as string[];
  return oneLine(`${type} ${name}`, 80);
}
