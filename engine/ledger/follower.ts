import type BetterSqlite3 from 'better-sqlite3';
import { nextTurn, systemClock } from '../time/clock.ts';
import { openSqlite } from './open-sqlite.ts';
import { followerTables } from './require-schema.ts';

/** Pages written in one turn of the event loop. */
const pagesInTurn = 500;

/** How long an overwrite waits for another process that is writing the file, in ms. */
const lockWaitMs = 5_000;

/** Removes the tables of a follower from a copy of a ledger, which nobody has open (control-plane.md B1). */
export function leaveOutFollower(path: string): void {
  const sqlite = openSqlite(path, { fileMustExist: true });
  try {
    for (const name of tablesIn(sqlite)) sqlite.exec(`drop table ${name}`);
  } finally {
    sqlite.close();
  }
}

/**
 * Makes the content of the database `to`, which others may have open, that of the database `from`, in one transaction: a process that dies
 * leaves the old content. Tables of a follower stay, empty, as a follower makes them only when it starts. The caller syncs the log of `to`.
 * Throws an error of code SQLITE_BUSY if others write for too long.
 */
export async function overwriteDatabase(from: string, to: string): Promise<void> {
  const target = openSqlite(to, { fileMustExist: true });
  const source = openSqlite(from, { fileMustExist: true });
  try {
    for (const name of tablesIn(target)) source.exec(followerTables.get(name) ?? '');
    const begun = systemClock.monotonic();
    // While another process writes, no page is copied and the driver says that it is done.
    while ((await source.backup(to, { progress: () => pagesInTurn })).totalPages === 0) {
      if (systemClock.monotonic() - begun > lockWaitMs)
        throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
      await nextTurn();
    }
  } finally {
    source.close();
    target.close();
  }
}

/** The tables of a follower that a database has. */
function tablesIn(sqlite: BetterSqlite3.Database): string[] {
  const names = sqlite.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all();
  return names.filter((name) => followerTables.has(name));
}
