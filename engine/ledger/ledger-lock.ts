import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { fileId } from './connection.ts';
import { foreignReason, requireOurs } from './durable-file.ts';
import { isBusy, LedgerRefused } from './ledger-condition.ts';
import { temporaryFolder } from './own-folder.cjs';

/** The server that serves a ledger. */
interface LedgerHolder {
  /** `http://127.0.0.1:7263`. */
  readonly address: string;
  readonly pid: number;
}

/**
 * Another process serves the ledger: its message says which. `holder` is null until that process has written who it is.
 */
function heldBy(holder: LedgerHolder | null): LedgerRefused {
  const who = holder === null ? 'another process' : `${holder.address} (process ${holder.pid})`;
  return new LedgerRefused('held', who);
}

export interface LedgerLock {
  /** It is true if the last server of the ledger left it sound, and nothing has touched its file since. */
  readonly isUntouched: boolean;
  /** Locks the new file after a restore replaced the ledger's. Throws LedgerRefused when another process serves it. */
  follow(): void;
  /** `isSound`: the ledger is closed, and nothing is wrong with it. */
  release(isSound?: boolean): void;
  /** Releases the lock of a ledger that is not served, and removes its file if it was not there before. */
  abandon(): void;
}

/** Maximum wait for a lock that another process is just taking, in ms. */
const lockWaitMs = 200;

/**
 * Makes this process the only one that serves a ledger file, or throws LedgerRefused, or a Mistake if another user has
 * put a lock or snapshots beside it. The lock is the write lock of a small database beside the ledger: the system
 * releases it however the process ends, and others can read in it who holds it. A second lock in the temporary folder
 * is named after the file itself, see {@link lockId}, so that it covers every hard link to the file. The ledger itself
 * is not locked: that a run happens only once does not depend on these locks (rules.md T4).
 *
 * A sound ledger leaves the state of its file in the lock, and the next holder takes it out before it opens the file:
 * it is there only after a clean stop. `inOwnFolder`: this process has locked the folder.
 */
export function lockLedger(path: string, holder: LedgerHolder, inOwnFolder = false): LedgerLock {
  requireOurs(`${path}.snapshots`);
  const file = `${path}.lock`;
  const isNew = !existsSync(file);
  const { sqlite: byName, left } = take(file, holder);
  const isUntouched = left !== null && left === stateOf(path);
  const close = (): void => (isNew ? releaseFile(file, byName) : void byName.close());
  const ofFolder = inOwnFolder ? null : heldLock(folderLock(dirname(path)));
  if (ofFolder !== null) {
    close();
    throw ofFolder;
  }
  let byFile: FileLock | null = null;
  const follow = (): void => {
    const id = lockId(path);
    if (id === null || byFile?.id === id) return;
    const taken = takeFile(id, holder);
    byFile?.release();
    byFile = taken;
  };
  try {
    follow();
  } catch (error) {
    close();
    throw error;
  }
  return {
    isUntouched,
    follow,
    abandon: () => {
      byFile?.release();
      close();
    },
    release: (isSound = false) => {
      byFile?.release();
      if (isSound) leave(byName, stateOf(path));
      byName.close();
    },
  };
}

/**
 * Makes this process the only one that serves the ledgers of a folder, or throws LedgerRefused. {@link lockLedger} of
 * another process looks for this lock.
 */
export function lockLedgers(folder: string, holder: LedgerHolder): Pick<LedgerLock, 'release'> {
  const { sqlite } = take(folderLock(folder), holder);
  return { release: () => void sqlite.close() };
}

function folderLock(folder: string): string {
  return join(folder, '.banks.lock');
}

function lockOfFile(id: string): string {
  return join(temporaryFolder('locks'), `${id}.lock`);
}

/** Also null for a lock that cannot be read: opening the ledger then shows why. */
function heldLock(path: string): LedgerRefused | null {
  // That of another user could name any server.
  if (!existsSync(path) || foreignReason(path) !== null) return null;
  let sqlite: BetterSqlite3.Database | null = null;
  try {
    sqlite = new BetterSqlite3(path, { timeout: lockWaitMs, fileMustExist: true });
    sqlite.exec('begin immediate');
    return null;
  } catch (error) {
    return sqlite !== null && isBusy(error) ? heldBy(holderIn(sqlite)) : null;
  } finally {
    sqlite?.close();
  }
}

/** The locked database, and the state that the last holder has left. */
interface TakenLock {
  readonly sqlite: BetterSqlite3.Database;
  readonly left: string | null;
}

/** `isKept` is false for a lock that a power failure may damage: writing it does not wait for the disk. */
function take(path: string, holder: LedgerHolder, isKept = true): TakenLock {
  requireOurs(path);
  makeForOwner(path);
  const file = fileId(path);
  const sqlite = new BetterSqlite3(path, { timeout: lockWaitMs });
  if (!isKept) sqlite.pragma('synchronous = off');
  // The last holder may remove the file: after we opened it and before we locked it, or between our two transactions.
  const lockOrMiss = (): boolean => {
    sqlite.exec('begin immediate');
    return fileId(path) === file;
  };
  const takeNext = (): TakenLock => {
    sqlite.close();
    return take(path, holder, isKept);
  };
  try {
    if (!lockOrMiss()) return takeNext();
    sqlite.exec('create table if not exists holder (address text not null, pid integer not null) strict');
    sqlite.exec('delete from holder');
    sqlite.prepare('insert into holder (address, pid) values (?, ?)').run(holder.address, holder.pid);
    sqlite.exec('create table if not exists left_as (state text not null) strict');
    const left = sqlite.prepare<[], string>('select state from left_as').pluck().get() ?? null;
    sqlite.exec('delete from left_as');
    sqlite.exec('commit');
    return lockOrMiss() ? { sqlite, left } : takeNext();
  } catch (error) {
    const held = isBusy(error) ? heldBy(holderIn(sqlite)) : error;
    sqlite.close();
    throw held;
  }
}

/**
 * Makes the file, which SQLite would make for everybody to read. What stands in the way SQLite tells in its own words.
 */
function makeForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // SQLite opens it next, and says why it cannot.
  }
}

/** A lock that cannot be written leaves nothing: the next start checks the ledger. */
function leave(sqlite: BetterSqlite3.Database, state: string | null): void {
  if (state === null) return;
  try {
    sqlite.prepare('insert into left_as (state) values (?)').run(state);
    sqlite.exec('commit');
  } catch {
    // Closing rolls back.
  }
}

/**
 * What every change of a closed ledger's file changes, and every copy has otherwise: nobody can set the time of the
 * last change of an inode. Returns null if a log is beside it, so that it was not closed or another program has it
 * open, or it cannot be reached.
 */
function stateOf(path: string): string | null {
  if (['-wal', '-journal'].some((suffix) => existsSync(path + suffix))) return null;
  return fileId(path, ['birthtimeNs', 'size', 'mtimeNs', 'ctimeNs']);
}

/**
 * Device, inode and birth of a file, the same for every hard link to it, or null if it is missing or cannot be reached.
 * A new file may get the inode of a deleted one, which a server may still hold.
 */
function lockId(path: string): string | null {
  return fileId(path, ['birthtimeNs']);
}

interface FileLock {
  readonly id: string;
  release(): void;
}

/**
 * Locks a file by its {@link lockId}. When the temporary folder cannot be used, only the lock beside the ledger holds:
 * the bank starts all the same, but hard links are not covered.
 */
function takeFile(id: string, holder: LedgerHolder): FileLock {
  try {
    const path = lockOfFile(id);
    const { sqlite } = take(path, holder, false);
    return { id, release: () => releaseFile(path, sqlite) };
  } catch (error) {
    if (error instanceof LedgerRefused) throw error;
    return { id, release: () => undefined };
  }
}

/**
 * Removes the file before the lock is released, so that nobody takes it in between. Windows removes no open file: there
 * it stays.
 */
function releaseFile(path: string, sqlite: BetterSqlite3.Database): void {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  sqlite.close();
}

function holderIn(sqlite: BetterSqlite3.Database): LedgerHolder | null {
  try {
    return sqlite.prepare<[], LedgerHolder>('select address, pid from holder').get() ?? null;
  } catch {
    return null;
  }
}
