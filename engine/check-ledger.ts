import { Worker } from 'node:worker_threads';
import { inspectLedger, type Inspection } from './proof/inspect-ledger.ts';

/** Its pages are wrong, or its books: nobody may be served from it. */
export class LedgerDamaged extends Error {
  /** SQLite's, of a file that it cannot read. */
  readonly code: string | null;

  constructor(damage: string, code: string | null = null) {
    super(damage);
    this.code = code;
  }
}

/**
 * Looks a ledger file through before it is served (operations/inspect-ledger.ts), in a thread of its own where that takes
 * long, so that the process goes on answering. Throws LedgerDamaged, in one line. Returns whether its tables are up to date:
 * one that a migration is still to change is checked again afterwards.
 */
export async function checkLedger(path: string, inOwnThread: boolean): Promise<boolean> {
  const { damage, code, isUpToDate } = await (inOwnThread ? inspectInThread(path) : inspectLedger(path));
  if (damage !== null) throw new LedgerDamaged(damage, code);
  return isUpToDate;
}

function inspectInThread(path: string): Promise<Inspection> {
  // Beside this file, and with its ending: .ts as it is written, .js as it is built.
  const program = import.meta.url.replace(/check-ledger\.(\w+)$/, 'check-ledger-thread.$1');
  const worker = new Worker(new URL(program), { workerData: path });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that checks the ledger ended without an answer')));
  });
}
