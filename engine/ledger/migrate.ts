import type BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { LedgerDialect, Transactions } from './transactions.ts';
import type { Tables } from './tables.ts';
import * as tables from './migrations/001-tables.ts';

/** By name, in the order of the names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * The migrations of a ledger. A released migration is frozen and imports nothing of ours; migrations are never reversed. Until 0.1.0
 * is tagged the first one is edited in place.
 */
export const migrations: Migrations = { '001-tables': tables };

/** The first migration of every ledger from before 0.1.0, which this program does not read. */
export const firstOfOlder = '001-ledger';

/** The tables cannot be migrated: another version of this program, or another program, made them. The message says why. */
export class LedgerOutdated extends Error {}

/** The message says in a few words what is wrong with the database, on one line. */
export class FileDamaged extends Error {}

/** Kysely's table of the migrations that have run, as Kysely creates it. */
export const migrationTable =
  'CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)';

/**
 * The names of the migrations that have run, in order, the first 100. Throws FileDamaged if their table is anything else: reading a
 * view of that name could take forever.
 */
export function appliedTo(sqlite: BetterSqlite3.Database): readonly string[] {
  const [text, ...others] = sqlite
    .prepare<[], unknown>(`select sql from sqlite_schema where name = 'kysely_migration'`)
    .pluck()
    .all();
  if (text === undefined) return [];
  if (text !== migrationTable || others.length > 0)
    throw new FileDamaged("the table kysely_migration is not the ledger's");
  return sqlite
    .prepare<[], string>('select cast(name as text) from kysely_migration order by name limit 100')
    .pluck()
    .all();
}

/** True when every migration, and no other, has run. Faster than Kysely's migrator, which every restore would wait for. */
export function isUpToDate(sqlite: BetterSqlite3.Database, wanted: Migrations = migrations): boolean {
  return appliedTo(sqlite).join() === Object.keys(wanted).join();
}

/** Carries out the migrations that have not run yet, all or none (control-plane.md M). Throws LedgerOutdated. */
export async function migrate(sqlite: BetterSqlite3.Database, wanted: Migrations = migrations): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new LedgerDialect(new Transactions(sqlite, null)) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...wanted }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new LedgerOutdated(error instanceof Error ? error.message : String(error), { cause: error });
}
