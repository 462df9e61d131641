import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Ledger, LedgerRefused } from './ledger/database.ts';
import { troubleIn } from './ledger/ledger-condition.ts';
import { inspectFile, isOfOthers } from './ledger/schema.ts';
import { inspectLedger, type FileCheck } from './proof/prove-ledger.ts';

/**
 * Checks a ledger file before it is served (proof/prove-ledger.ts): its tables only, all of it, or all of it in a
 * process of its own, so that this one keeps answering. Throws a LedgerRefused with a message of one line. Returns
 * false when migrations are missing: the caller checks again after they have run.
 */
export async function checkLedger(path: string, how: 'tables' | 'here' | 'in a process'): Promise<boolean> {
  const part = how === 'tables' ? 'tables' : 'all';
  const { damage, code, isUpToDate } = await (how === 'in a process' ? inspectApart(path) : inspectLedger(path, part));
  if (damage !== null) throw new LedgerRefused('damaged', damage, { code });
  return isUpToDate;
}

/** Whether a file is a sound SQLite database of another program. False for a damaged one: it may be a ledger. */
export async function isOfAnotherProgram(path: string): Promise<boolean> {
  try {
    (await inspectFile(path, 'tables')).close();
    return false;
  } catch {
    return isOfOthers(path);
  }
}

/**
 * Checks the whole file of an open ledger while it is used. What is wrong makes the ledger `broken`; a reset, a restore
 * and a close end the check. Rejected when the file could not be read, or the process failed: nothing is known then.
 */
export function checkBeside(ledger: Pick<Ledger, 'inspect'>, path: string): Promise<void> {
  return ledger.inspect(async (ending) => {
    const { damage, code = null } = await inspectApart(path, ending);
    if (damage !== null && troubleIn({ code })?.kind === 'unwritable')
      throw new LedgerRefused('damaged', damage, { code });
    return damage;
  });
}

/**
 * Not in a thread: nothing ends a statement of SQLite there, so that a stop or a reset would wait for it, a minute in a
 * large ledger.
 */
async function inspectApart(path: string, ending?: AbortSignal): Promise<FileCheck> {
  // The program lies beside this file, as .ts in the source and as .js in the build.
  const program = import.meta.url.replace(/check-ledger\.(\w+)$/, 'check-ledger-process.$1');
  const child = process.getBuiltinModule('node:child_process').spawn(process.execPath, [fileURLToPath(program), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C ends the server, and the server its check.
    detached: true,
    windowsHide: true,
  });
  const end = (): void => void child.kill('SIGKILL');
  ending?.addEventListener('abort', end);
  process.once('exit', end);
  try {
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error('the process that checks the ledger ended without an answer');
    return JSON.parse(output) as FileCheck;
  } finally {
    ending?.removeEventListener('abort', end);
    process.off('exit', end);
  }
}
