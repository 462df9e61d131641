import type BetterSqlite3 from 'better-sqlite3';
import { nextTurn, systemClock } from '../time/clock.ts';
import { fileId } from './connection.ts';
import { openSqlite } from './open-sqlite.ts';
import { followerTables } from './require-schema.ts';

/** Pages copied in one turn of the event loop. */
const pagesInTurn = 500;

/** How long a copy waits for another process that writes its target, in ms. */
const lockWaitMs = 5_000;

/** Removes the tables of a follower from a copy of a ledger, which nobody has open (control-plane.md B1). The copy then has no log. */
export function leaveOutFollower(path: string): void {
  const sqlite = openSqlite(path, { fileMustExist: true });
  try {
    sqlite.pragma('journal_mode = delete');
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
    await copyPages(source, to);
  } finally {
    source.close();
    target.close();
  }
}

/**
 * Copies a ledger that others may write meanwhile into the file `to`, which is empty, as it was at one instant. False: the ledger was
 * replaced at the beginning, and the copy is worth nothing. Throws the reason of `stopping` when that is aborted.
 */
export async function copyOpenLedger(path: string, to: string, stopping: AbortSignal): Promise<boolean> {
  const id = fileId(path);
  const source = openSqlite(path, { fileMustExist: true });
  try {
    // Until its end the pages stay as they are, whoever writes, and a restore of the server writes into this file.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_schema').get();
    await copyPages(source, to, stopping);
  } finally {
    source.close();
  }
  leaveOutFollower(to);
  return fileId(path) === id;
}

async function copyPages(source: BetterSqlite3.Database, to: string, stopping?: AbortSignal): Promise<void> {
  const begun = systemClock.monotonic();
  const progress = (): number => {
    stopping?.throwIfAborted();
    return pagesInTurn;
  };
  // While another process writes the target, no page is copied and the driver says that it is done.
  while ((await source.backup(to, { progress })).totalPages === 0) {
    if (systemClock.monotonic() - begun > lockWaitMs)
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    await nextTurn();
  }
}

/** The tables of a follower that a database has. */
function tablesIn(sqlite: BetterSqlite3.Database): string[] {
  const names = sqlite.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all();
  return names.filter((name) => followerTables.has(name));
}
