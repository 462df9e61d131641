import { open, stat } from 'node:fs/promises';
import { checkLedger } from './check-ledger.ts';
import { finishDurably, removeDatabase, systemDisk } from './ledger/durable-file.ts';
import { LedgerOutdated } from './ledger/database.ts';
import { copyOpenLedger } from './ledger/whole-copy.ts';

/** Maximum number of copies that are begun anew because the ledger was replaced. */
const maxTries = 5;

/**
 * Copies the ledger file `path`, while a server may write it, to the file `to`, as it was at one instant, and replaces a file of that name.
 * The copy is checked as a ledger is at a start, and is then there as a whole, for its owner only; else `to` does not change. Returns its
 * size in bytes. Throws LedgerDamaged, LedgerOutdated, errors of the file system, and the reason of `stopping` when that is aborted.
 */
export async function backUpLedger(path: string, to: string, stopping: AbortSignal): Promise<number> {
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
    const { size } = await stat(partial);
    await finishDurably(systemDisk, partial, to);
    return size;
  } catch (error) {
    await removeDatabase(systemDisk, partial).catch(() => undefined);
    throw error;
  }
}
