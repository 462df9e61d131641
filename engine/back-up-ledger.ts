import { open, stat } from 'node:fs/promises';
import { bankState } from './bank/rows/bank-state.ts';
import { checkLedger } from './check-ledger.ts';
import { finishDurably, removeDatabase, systemDisk, copyOpenLedger } from './ledger/ledger-files.ts';
import { LedgerOutdated } from './ledger/database.ts';
import { inspectFile } from './ledger/schema.ts';

/** Maximum number of copies that start again because the ledger was replaced. */
const maxTries = 5;

/** A copy of a ledger: its size, and the name of the known state that the ledger began with. */
export interface LedgerCopy {
  readonly bytes: number;
  readonly fixtures: string;
}

/**
 * Copies the ledger file `path`, while a server may write it, to the file `to`, as it was at one instant, and replaces a file of that name.
 * The copy is checked as a ledger is at a start, and is then there as a whole, for its owner only; else `to` does not change. Throws
 * LedgerDamaged, LedgerOutdated, errors of the file system, and the reason of `stopping` when that is aborted.
 */
export async function backUpLedger(path: string, to: string, stopping: AbortSignal): Promise<LedgerCopy> {
  const partial = `${to}.partial`;
  try {
    for (let tries = 1; ; tries += 1) {
      await removeDatabase(systemDisk, partial);
      await (await open(partial, 'wx', 0o600)).close();
      if (await copyOpenLedger(path, partial, stopping)) break;
      if (tries === maxTries) throw Object.assign(new Error('it is replaced again and again'), { code: 'SQLITE_BUSY' });
    }
    if (!(await checkLedger(partial, 'in a process'))) throw new LedgerOutdated('another version of Sandbank made it');
    stopping.throwIfAborted();
    const saved = { bytes: (await stat(partial)).size, fixtures: await fixturesOf(partial) };
    await finishDurably(systemDisk, partial, to);
    return saved;
  } catch (error) {
    await removeDatabase(systemDisk, partial).catch(() => undefined);
    throw error;
  }
}

/** Name of the known state that a ledger file began with. */
async function fixturesOf(path: string): Promise<string> {
  const { reader, close } = await inspectFile(path, 'tables');
  try {
    return (await bankState(reader)).fixtures;
  } finally {
    close();
  }
}
