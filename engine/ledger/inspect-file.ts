import type BetterSqlite3 from 'better-sqlite3';
import { closeConnection } from './connection.ts';
import type { Reader } from './database.ts';
import { LedgerDialect, Transactions } from './transactions.ts';
import { FileDamaged, isUpToDate } from './migrate.ts';
import { openSqlite } from './open-sqlite.ts';
import { requireSchema } from './require-schema.ts';

/** A ledger file opened for reading only. */
interface InspectedFile {
  /** Reads one state of the file, whatever is written meanwhile. */
  readonly reader: Reader;
  /** False: not all migrations have run: its tables are those of an older version. */
  readonly isUpToDate: boolean;
  close(): Promise<void>;
}

/**
 * Opens a ledger file with a connection that cannot write, and checks its tables, with `all` also its pages. Throws FileDamaged when its
 * tables, or its pages, indexes and foreign keys, are not those of a ledger (control-plane.md B1), LedgerOutdated for the file of a newer
 * version or of another program, and SQLite's error when it cannot be read.
 */
export async function inspectFile(path: string, part: 'tables' | 'all'): Promise<InspectedFile> {
  // Not opened `readonly`: SQLite's integrity check would then skip the CHECK constraints.
  const sqlite = openSqlite(path, { fileMustExist: true });
  const close = (): Promise<void> => closeConnection({ sqlite, thread: null });
  try {
    sqlite.pragma('query_only = on');
    await requireSchema(sqlite, 'served');
    if (part === 'all') requireSound(sqlite);
    sqlite.exec('begin');
    const reader = new LedgerDialect(new Transactions(sqlite, null)).access();
    return { reader, isUpToDate: isUpToDate(sqlite), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Checks every page, row, index and foreign key. Throws FileDamaged. */
export function requireSound(sqlite: BetterSqlite3.Database): void {
  const [problem] = sqlite.prepare<[], string>('pragma integrity_check(1)').pluck().all();
  if (problem !== 'ok') throw new FileDamaged((problem ?? 'it cannot be checked').split('\n').slice(0, 2).join(' '));
  const dangling = sqlite.prepare<[], string>('select "table" from pragma_foreign_key_check limit 1').pluck().get();
  if (dangling !== undefined) throw new FileDamaged(`a row of ${dangling} refers to one that is not there`);
}
