import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/** Where the tests keep what they make once for all workers and runs. */
export const keptByTests = resolve('node_modules/.cache/sandbank-tests');

/** For the environment of a process that loads sources: what Node has compiled of them is kept, which halves its start. */
export const compileCache = { NODE_COMPILE_CACHE: join(keptByTests, 'compiled') };

/**
 * For the environment of a process whose sources lie in a temporary folder: what Node compiled of them would never be found again, and
 * would be kept for ever.
 */
export const noCompileCache = { NODE_COMPILE_CACHE: undefined };

/** Another worker may hold the lock while it makes the file. */
const lockWaitMs = 300_000;

/** Does the work of this name when no other worker does; they wait. A process that dies holds nothing. */
export async function inOneWorker<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  mkdirSync(keptByTests, { recursive: true });
  const lock = new BetterSqlite3(join(keptByTests, `${name}.lock`), { timeout: lockWaitMs });
  try {
    lock.exec('begin exclusive');
    return await work();
  } finally {
    lock.close();
  }
}
