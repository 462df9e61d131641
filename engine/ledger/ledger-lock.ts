import { closeSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { fileId } from './connection.ts';
import { isBusy } from './ledger-condition.ts';

/** Who serves a ledger. */
export interface LedgerHolder {
  /** Where it can be asked: `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly pid: number;
}

/** Somebody else serves the ledger; null: it has not said yet who it is. */
export class LedgerHeld extends Error {
  readonly holder: LedgerHolder | null;

  constructor(holder: LedgerHolder | null) {
    super(holder === null ? 'another process' : `${holder.address} (process ${holder.pid})`);
    this.holder = holder;
  }
}

export interface LedgerLock {
  /** A restore puts another file in the ledger's place: takes that one too. LedgerHeld when somebody else serves it. */
  follow(): void;
  release(): void;
}

/** How long a lock that is just being taken or written may make us wait, in ms. */
const patience = 200;

/**
 * Makes this process the only one that serves a ledger file, or throws LedgerHeld. What is held is the write lock of a
 * small database beside it: the system gives it up when the process dies, however it dies, and others can read in it who
 * holds it. A second one, in the system's temporary folder, is named after the file's device and inode: it holds the file
 * under every name that a hard link gives it. The ledger itself stays open to everyone: that a run happens once does not
 * rest on these locks (rules.md T4).
 */
export function lockLedger(path: string, holder: LedgerHolder): LedgerLock {
  const byName = take(`${path}.lock`, holder);
  let byFile: FileLock | null = null;
  const follow = (): void => {
    const id = fileId(path);
    if (id === null || byFile?.id === id) return;
    const taken = takeFile(id, holder);
    byFile?.release();
    byFile = taken;
  };
  try {
    follow();
  } catch (error) {
    byName.close();
    throw error;
  }
  return {
    follow,
    release: () => {
      byFile?.release();
      byName.close();
    },
  };
}

function take(path: string, holder: LedgerHolder): BetterSqlite3.Database {
  const sqlite = new BetterSqlite3(path, { timeout: patience });
  try {
    sqlite.exec('begin immediate');
    sqlite.exec('create table if not exists holder (address text not null, pid integer not null) strict');
    sqlite.exec('delete from holder');
    sqlite.prepare('insert into holder (address, pid) values (?, ?)').run(holder.address, holder.pid);
    sqlite.exec('commit');
    sqlite.exec('begin immediate');
    return sqlite;
  } catch (error) {
    const held = isBusy(error) ? new LedgerHeld(holderIn(sqlite)) : error;
    sqlite.close();
    throw held;
  }
}

interface FileLock {
  readonly id: string;
  release(): void;
}

/**
 * Where nothing can be kept in the temporary folder, the lock beside the ledger is the only one: a bank that starts is
 * worth more than one that knows of every hard link.
 */
function takeFile(id: string, holder: LedgerHolder): FileLock {
  try {
    const path = join(lockFolder(), `${id}.lock`);
    for (;;) {
      closeSync(openSync(path, 'a', 0o600));
      const file = fileId(path);
      const sqlite = take(path, holder);
      if (fileId(path) === file) return { id, release: () => releaseFile(path, sqlite) };
      // Its last holder removed it between our opening and our locking it.
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof LedgerHeld) throw error;
    return { id, release: () => undefined };
  }
}
/** Removed while it is held, so that nobody takes it in between. */
function releaseFile(path: string, sqlite: BetterSqlite3.Database): void {
  rmSync(path, { force: true });
  sqlite.close();
}

/** One of this user alone: nobody else can put something in the way, or cannot write what was left there. */
function lockFolder(): string {
  const uid = process.getuid?.();
  const folder = join(tmpdir(), uid === undefined ? 'sandbank-locks' : `sandbank-locks-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) throw new Error(`${folder} is not ours`);
  return folder;
}

function holderIn(sqlite: BetterSqlite3.Database): LedgerHolder | null {
  try {
    return sqlite.prepare<[], LedgerHolder>('select address, pid from holder').get() ?? null;
  } catch {
    return null;
  }
}
