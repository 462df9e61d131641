import type BetterSqlite3 from 'better-sqlite3';
import { parseSettlementTimes } from '../time/rules/settlement-run.ts';
import { clockRange } from '../time/rules/bank-clock.ts';
import { oneLine } from '../values/text.ts';
import { appliedTo, FileDamaged, LedgerOutdated, migrate, migrationNames } from './migrate.ts';
import { openSqlite } from './open-sqlite.ts';

/** A row of `sqlite_schema`. In a database that somebody has patched each value may be anything. */
type SchemaRow = readonly [type: unknown, name: unknown, table: unknown, sql: unknown];

/** The text of each object, by its kind, its name and the table that it belongs to; null: SQLite made it for a constraint. */
type Schema = ReadonlyMap<string, string | null>;

/** Those that were made in this process, by the number of migrations. */
const schemas = new Map<number, Schema>();

/**
 * Requires that a database has exactly the tables, indexes, triggers and views that the migrations make which have run in it, by text and
 * whatever their names begin with (control-plane.md B1), and nothing yet when none has run. Reads the schema table only, so that nothing in
 * the database runs: call it before anything else reads or changes the database. Throws FileDamaged, and LedgerOutdated for the
 * database of a newer version or of another program.
 *
 * Tables of others that a ledger may have belong here, by their text.
 */
export async function requireSchema(sqlite: BetterSqlite3.Database): Promise<void> {
  const rows = sqlite.prepare<[], SchemaRow>('select type, name, tbl_name, sql from sqlite_schema').raw();
  if (rows.get() === undefined) return;
  if (sqlite.pragma('encoding', { simple: true }) !== 'UTF-8') throw new FileDamaged('its texts are not in UTF-8');
  const applied = appliedTo(sqlite);
  const later = applied.find((name) => !migrationNames.includes(name));
  if (later !== undefined)
    throw new LedgerOutdated(new Error(`a newer version of Sandbank made it, with ${oneLine(later, 60)}`));
  if (applied.some((name, index) => name !== migrationNames[index]))
    throw new FileDamaged('a migration before its last one has not run');
  const wanted = await schemaAfter(applied.length);
  const missing = new Set(wanted.keys());
  for (const row of rows.iterate()) {
    const key = keyOf(row);
    if (missing.has(key) && wanted.get(key) === row[3]) missing.delete(key);
    else if (applied.length === 0) throw new LedgerOutdated(new Error(`it is no ledger, and has the ${named(key)}`));
    else throw new FileDamaged(`the ${named(key)} is not the ledger's`);
  }
  const [first] = missing;
  // A process that died before the first migration leaves one table of Kysely's, or both.
  if (first !== undefined && applied.length > 0) throw new FileDamaged(`the ${named(first)} is missing`);
}

/**
 * Requires that migrations can read the state of the bank, in a database whose schema was checked: one of them looks for the next run, and
 * would not find it. Throws FileDamaged.
 */
export function requireMigratable(sqlite: BetterSqlite3.Database): void {
  if (appliedTo(sqlite).length === 0) return;
  const states = sqlite
    .prepare<[], readonly [unknown, unknown]>('select settlement_times, last_run_at from bank_state')
    .raw()
    .iterate();
  for (const [times, lastRun] of states) {
    if (typeof times !== 'string' || !parseSettlementTimes(times).ok)
      throw new FileDamaged('the state of the bank has settlement times that are none');
    const at = typeof lastRun === 'bigint' ? Number(lastRun) : Number.NaN;
    if (!(at >= clockRange.from - yearLength && at <= clockRange.to + yearLength))
      throw new FileDamaged('the state of the bank has an impossible time');
  }
}

const yearLength = 366 * 86_400_000;

/** The schema of a ledger after so many migrations. */
async function schemaAfter(count: number): Promise<Schema> {
  const known = schemas.get(count);
  if (known !== undefined) return known;
  const sqlite = openSqlite(':memory:');
  try {
    await migrate(sqlite, migrationNames[Math.max(count, 1) - 1]);
    const rows = sqlite.prepare<[], SchemaRow>('select type, name, tbl_name, sql from sqlite_schema').raw().all();
    const ofCount = count > 0 ? rows : rows.filter(([, , table]) => String(table).startsWith('kysely_'));
    const schema = new Map(ofCount.map((row) => [keyOf(row), row[3] as string | null]));
    schemas.set(count, schema);
    return schema;
  } finally {
    sqlite.close();
  }
}

function keyOf([type, name, table]: SchemaRow): string {
  return JSON.stringify([type, name, table].map(String));
}

/** `table account` */
function named(key: string): string {
  const [type = '', name = ''] = JSON.parse(key) as string[];
  return oneLine(`${type} ${name}`, 80);
}
