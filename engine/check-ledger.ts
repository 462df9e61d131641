import { Worker } from 'node:worker_threads';
import { inspectLedger, type Inspection } from './proof/inspect-ledger.ts';

/** The ledger's pages or books are wrong; it must not be served. */
export class LedgerDamaged extends Error {
  /** SQLite's error code when it cannot read the file. */
  readonly code: string | null;

  constructor(damage: string, code: string | null = null) {
    super(damage);
    this.code = code;
  }
}

/**
 * Checks a ledger file before it is served (proof/inspect-ledger.ts); `inOwnThread` for a large one, so that the process
 * keeps answering. Throws LedgerDamaged with a message of one line. Returns false when migrations are missing: the caller
 * checks again after they have run.
 */
export async function checkLedger(path: string, inOwnThread: boolean): Promise<boolean> {
  const { damage, code, isUpToDate } = await (inOwnThread ? inspectInThread(path) : inspectLedger(path));
  if (damage !== null) throw new LedgerDamaged(damage, code);
  return isUpToDate;
}

function inspectInThread(path: string): Promise<Inspection> {
  // Beside this file, with the same extension: .ts in the source, .js in the build.
  const program = import.meta.url.replace(/check-ledger\.(\w+)$/, 'check-ledger-thread.$1');
  const worker = new Worker(new URL(program), { workerData: path });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that checks the ledger ended without an answer')));
  });
}
