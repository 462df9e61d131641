import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { LedgerDialect } from './driver.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';
import { Transactions } from './transactions.ts';

/** The tables cannot be migrated: a newer version of this program, or another program, made them. */
export class LedgerOutdated extends Error {
  readonly reason: string;

  constructor(cause: unknown) {
    super('the ledger could not be brought up to date', { cause });
    this.reason = cause instanceof Error ? cause.message : String(cause);
  }
}

/** The message says in a few words what is wrong with the database, on one line. */
export class FileDamaged extends Error {}

/** The names of all migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Kysely's table of the migrations that have run, as Kysely creates it. */
export const migrationTable =
  'CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)';

/**
 * The names of the migrations that have run, in order; one more than there are at most. Throws FileDamaged when what has the name of their table is
 * something else: to read a view of that name could take forever.
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
    .prepare<[number], string>('select cast(name as text) from kysely_migration order by name limit ?')
    .pluck()
    .all(migrationNames.length + 1);
}

/** True when every migration, and no other, has run. Faster than Kysely's migrator, which every restore would wait for. */
export function isUpToDate(sqlite: BetterSqlite3.Database): boolean {
  return appliedTo(sqlite).join() === migrationNames.join();
}

/** Carries out the migrations that have not run yet, up to this one; left out: all of them. Throws LedgerOutdated. */
export async function migrate(sqlite: BetterSqlite3.Database, to?: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new LedgerDialect(new Transactions(sqlite, null)) });
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await withWritableSchema(sqlite, () =>
    to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to),
  );
  if (error !== undefined) throw new LedgerOutdated(error);
}

/** Carries out all migrations in the caller's transaction on this database, in which there are no tables. */
export async function createTablesIn(sqlite: BetterSqlite3.Database, writer: Transaction<Tables>): Promise<void> {
  await withWritableSchema(sqlite, async () => {
    for (const { up } of Object.values(migrations)) await up(writer);
  });
}

/** Lets `work` update `sqlite_schema`, as migration 014 does; SQLite refuses that otherwise. */
async function withWritableSchema<T>(sqlite: BetterSqlite3.Database, work: () => Promise<T>): Promise<T> {
  sqlite.unsafeMode(true);
  try {
    return await work();
  } finally {
    sqlite.pragma('writable_schema = off');
    sqlite.unsafeMode(false);
  }
}
