import { closeSync, openSync, readSync } from 'node:fs';
import { isRefused, LedgerRefused } from '../../engine/open-bank.ts';
import { closedToUs } from './error-text.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Texts for errors of SQLite and the system, by their codes. */
const problems: readonly (readonly [codes: RegExp, problem: (ledger: string) => string])[] = [
  [/^SQLITE_CANTOPEN/, (ledger) => `the ledger ${ledger} cannot be opened or made`],
  [
    /^SQLITE_NOTADB/,
    (ledger) =>
      isBundleFile(ledger)
        ? `${ledger} is no ledger, but a bundle: open it with \`sandbank open\``
        : `${ledger} is no ledger: choose another with --ledger`,
  ],
  [/^SQLITE_(?:READONLY|PERM)/, (ledger) => `the ledger ${ledger} cannot be written`],
  [/^E(?:ACCES|PERM|ROFS)/, (ledger) => `the ledger ${ledger}, or what lies beside it, cannot be written`],
  [/^(?:ENOSPC|SQLITE_FULL)/, (ledger) => `there is no room for the ledger ${ledger}`],
  [/^SQLITE_BUSY/, (ledger) => `the ledger ${ledger} is being written by another program`],
  [/^SQLITE_IOERR/, (ledger) => `the ledger ${ledger} cannot be read or written`],
];

const bundleMark = Buffer.from('sandbank-bundle ');

/** Says in one line why a ledger could not be opened; null when the file is not the cause. */
export function ledgerProblem(error: unknown, ledger: string): Mistake | null {
  if (isRefused(error, 'held'))
    return new Mistake(
      `the ledger ${ledger} is served by ${error.message} already: stop that one, or choose another with --ledger`,
    );
  const code = codeOf(error) ?? '';
  const problem = problems.find(([codes]) => codes.test(code))?.[1];
  if (problem !== undefined) return new Mistake(problem(ledger) + closedToUs(ledger));
  const damage = code.startsWith('SQLITE_CORRUPT') ? new LedgerRefused('damaged', 'its pages cannot be read') : error;
  if (isRefused(damage, 'damaged')) return new Mistake(damaged(ledger, damage.message), { cause: damage });
  if (!isRefused(error, 'outdated')) return null;
  return new Mistake(
    `the ledger ${ledger} cannot be brought up to date: ${error.message}. Choose another with --ledger, or remove it to start with an empty one`,
  );
}

function isBundleFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(bundleMark.length);
    readSync(file, start);
    return isBundle(start);
  } finally {
    closeSync(file);
  }
}

/** Whether a file begins as `sandbank bundle save` writes it. */
export function isBundle(beginning: Buffer): boolean {
  return beginning.subarray(0, bundleMark.length).equals(bundleMark);
}

function damaged(ledger: string, damage: string): string {
  return `the ledger ${ledger} is damaged: ${damage}. Put a copy in its place, or remove it to start with an empty one`;
}

/** Code of an error or of its cause. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : null;
}
