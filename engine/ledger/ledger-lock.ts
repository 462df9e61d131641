import BetterSqlite3 from 'better-sqlite3';

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
  release(): void;
}

/** How long a lock that is just being taken or written may make us wait, in ms. */
const patience = 200;

/**
 * Makes this process the only one that serves a ledger file, or throws LedgerHeld. What is held is the write lock of a
 * small database beside it: the system gives it up when the process dies, however it dies, and others can read in it who
 * holds it. The ledger itself stays open to everyone: that a run happens once does not rest on this lock (rules.md T4).
 */
export function lockLedger(path: string, holder: LedgerHolder): LedgerLock {
  const sqlite = new BetterSqlite3(`${path}.lock`, { timeout: patience });
  try {
    sqlite.exec('begin immediate');
    sqlite.exec('create table if not exists holder (address text not null, pid integer not null) strict');
    sqlite.exec('delete from holder');
    sqlite.prepare('insert into holder (address, pid) values (?, ?)').run(holder.address, holder.pid);
    sqlite.exec('commit');
    sqlite.exec('begin immediate');
    return { release: () => void sqlite.close() };
  } catch (error) {
    const held = isBusy(error) ? new LedgerHeld(holderIn(sqlite)) : error;
    sqlite.close();
    throw held;
  }
}

function holderIn(sqlite: BetterSqlite3.Database): LedgerHolder | null {
  try {
    return sqlite.prepare<[], LedgerHolder>('select address, pid from holder').get() ?? null;
  } catch {
    return null;
  }
}

function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
