import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { LedgerDialect, Transactions } from './transactions.ts';
import { type Reader, type Tables, tables } from './tables.ts';
import { statementsOf } from './columns.ts';
import { oneLine } from '../values/text.ts';
import { openSqlite } from './open-sqlite.ts';
import { LedgerRefused } from './ledger-condition.ts';
import { messageOf } from '../values/message-of.ts';

/** By name, in the order of the names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * The migrations of a ledger. What a released migration makes is frozen; migrations are never reversed. The first one
 * makes what engine/ledger/tables.ts says, which is edited in place until 0.1.0 is released.
 */
export const migrations: Migrations = {
  '001-tables': {
    up: async (db) => {
      for (const [name, table] of Object.entries(tables))
        for (const statement of statementsOf(name, table)) await sql.raw(statement).execute(db);
    },
  },
};

/** The first migration of every ledger from before 0.1.0, which this program does not read. */
const firstOfOlder = '001-ledger';

/** Kysely's table of the migrations that have run, as Kysely creates it. */
export const migrationTable =
  'CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)';

/**
 * The names of the migrations that have run, in order, the first 100. Throws LedgerRefused if their table is anything
 * else: reading a view of that name could take forever.
 */
function appliedTo(sqlite: BetterSqlite3.Database): readonly string[] {
  const [text, ...others] = sqlite
    .prepare<[], unknown>(`select sql from sqlite_schema where name = 'kysely_migration'`)
    .pluck()
    .all();
  if (text === undefined) return [];
  if (text !== migrationTable || others.length > 0)
    throw new LedgerRefused('damaged', "the table kysely_migration is not the ledger's");
  return sqlite
    .prepare<[], string>('select cast(name as text) from kysely_migration order by name limit 100')
    .pluck()
    .all();
}

/**
 * True when every migration, and no other, has run. Faster than Kysely's migrator, which every restore would wait for.
 */
export function isUpToDate(sqlite: BetterSqlite3.Database, wanted: Migrations = migrations): boolean {
  return appliedTo(sqlite).join() === Object.keys(wanted).join();
}

/** Carries out the migrations that have not run yet, all or none (control-plane.md B7). Throws LedgerRefused. */
export async function migrate(sqlite: BetterSqlite3.Database, wanted: Migrations = migrations): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new LedgerDialect(new Transactions(sqlite, null)) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...wanted }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new LedgerRefused('outdated', messageOf(error), { cause: error });
}

/** A row of `sqlite_schema`. In a database that somebody has patched each value may be anything. */
type SchemaRow = readonly [type: unknown, name: unknown, table: unknown, sql: unknown];

/** The text of each object, by its kind, name and table. An object that SQLite made for a constraint has none. */
type Schema = ReadonlyMap<string, string | null>;

/** Those that were made in this process, by the names of their migrations. */
const schemas = new Map<string, Schema>();

/**
 * Requires that a database has exactly the tables, indexes, triggers and views that the migrations make which have run
 * in it, by text and whatever their names begin with (control-plane.md B1), and nothing yet when none has run. Reads
 * the schema table only, so that nothing in the database runs: call it before anything else reads or changes the
 * database. Throws LedgerRefused: `damaged`, and `outdated` for the database of a newer version or of another program.
 */
export async function requireSchema(sqlite: BetterSqlite3.Database, wanted: Migrations = migrations): Promise<void> {
  const rows = sqlite.prepare<[], SchemaRow>('select type, name, tbl_name, sql from sqlite_schema').raw();
  if (rows.get() === undefined) return;
  if (sqlite.pragma('encoding', { simple: true }) !== 'UTF-8')
    throw new LedgerRefused('damaged', 'its texts are not in UTF-8');
  const applied = appliedTo(sqlite);
  if (applied.includes(firstOfOlder))
    throw new LedgerRefused('outdated', 'a version before 0.1.0 made it, whose ledgers this version does not read');
  const names = Object.keys(wanted);
  const unknown = applied.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const isNewer = applied.slice(0, names.length).join() === names.join();
    const maker = isNewer ? 'a newer version of Sandbank' : 'another version or program';
    throw new LedgerRefused('outdated', `${maker} made it, with ${oneLine(unknown, 60)}`);
  }
  if (applied.some((name, index) => name !== names[index]))
    throw new LedgerRefused('damaged', 'a migration before its last one has not run');
  const schema = await schemaAfter(applied.length, wanted);
  const missing = new Set(schema.keys());
  for (const row of rows.iterate()) {
    const key = schemaKey(row);
    if (missing.has(key) && schema.get(key) === row[3]) missing.delete(key);
    else if (applied.length === 0)
      throw new LedgerRefused('outdated', `it is no ledger, and has the ${nameInWords(key)}`);
    else throw new LedgerRefused('damaged', `the ${nameInWords(key)} is not the ledger's`);
  }
  const [first] = missing;
  // A process that died before the first migration leaves one table of Kysely's, or both.
  if (first !== undefined && applied.length > 0)
    throw new LedgerRefused('damaged', `the ${nameInWords(first)} is missing`);
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
    const schema = new Map(ofCount.map((row) => [schemaKey(row), row[3] as string | null]));
    schemas.set(cached, schema);
    return schema;
  } finally {
    sqlite.close();
  }
}

function schemaKey([type, name, table]: SchemaRow): string {
  return JSON.stringify([type, name, table].map(String));
}

/** `table account` */
function nameInWords(key: string): string {
  const [type = '', name = ''] = JSON.parse(key) as string[];
  return oneLine(`${type} ${name}`, 80);
}

/** A ledger file opened for reading only. */
interface InspectedFile {
  /** Reads one state of the file, whatever is written meanwhile. */
  readonly reader: Reader;
  /** It is false if not all migrations have run: its tables are those of an older version. */
  readonly isUpToDate: boolean;
  close(): void;
}

/**
 * Opens a ledger file with a connection that cannot write, and checks its tables, with `all` also its pages. Throws
 * LedgerRefused, `damaged` when its tables, or its pages, indexes and foreign keys, are not those of a ledger
 * (control-plane.md B1), `outdated` for the file of a newer version or of another program, and SQLite's error when it
 * cannot be read.
 */
export async function inspectFile(path: string, part: 'tables' | 'all'): Promise<InspectedFile> {
  // Not opened `readonly`: SQLite's integrity check would then skip the CHECK constraints.
  const sqlite = openSqlite(path, { fileMustExist: true });
  const close = (): void => void sqlite.close();
  try {
    sqlite.pragma('query_only = on');
    await requireSchema(sqlite);
    if (part === 'all') requireSound(sqlite);
    sqlite.exec('begin');
    const reader = new LedgerDialect(new Transactions(sqlite, null)).access();
    return { reader, isUpToDate: isUpToDate(sqlite), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether a database has tables, and not the one that every ledger has. False if it cannot be read. */
export function isOfOthers(path: string): boolean {
  const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
  try {
    const tables = sqlite.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all();
    return tables.length > 0 && !tables.includes('kysely_migration');
  } catch {
    return false;
  } finally {
    sqlite.close();
  }
}

/** Checks every page, row, index and foreign key. Throws LedgerRefused. */
export function requireSound(sqlite: BetterSqlite3.Database): void {
  const [problem] = sqlite.prepare<[], string>('pragma integrity_check(1)').pluck().all();
  if (problem !== 'ok')
    throw new LedgerRefused('damaged', (problem ?? 'it cannot be checked').split('\n').slice(0, 2).join(' '));
  const dangling = sqlite.prepare<[], string>('select "table" from pragma_foreign_key_check limit 1').pluck().get();
  if (dangling !== undefined)
    throw new LedgerRefused('damaged', `a row of ${dangling} refers to one that is not there`);
}
