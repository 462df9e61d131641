import { formatAmount } from '../values/money.ts';
import { findContradiction } from './rows/contradictions.ts';
import { LedgerOutdated, type Reader } from '../ledger/database.ts';
import { codeOf } from '../ledger/ledger-condition.ts';
import { inspectFile } from '../ledger/schema.ts';
import { proveBooks, type LedgerProof } from './prove-ledger.ts';

/** Result of checking a ledger file. */
export interface Inspection {
  /** What is wrong, in a few words for people; null if the file is sound. */
  readonly damage: string | null;
  /** SQLite's error code when it cannot read the file. */
  readonly code?: string;
  /** False: an older version made its tables. Its pages were checked; its books must be checked after the migration. */
  readonly isUpToDate: boolean;
}

/**
 * Checks a ledger file without changing it: its tables, and with `all` pages, indexes, and the books against the entries (rules.md S5).
 * A file that cannot be read counts as damaged. It may be in use: the books are read from one state of it.
 */
export async function inspectLedger(path: string, part: 'tables' | 'all'): Promise<Inspection> {
  try {
    const file = await inspectFile(path, part);
    try {
      const hasBooks = part === 'all' && file.isUpToDate;
      return { damage: hasBooks ? await damageIn(file.reader) : null, isUpToDate: file.isUpToDate };
    } finally {
      file.close();
    }
  } catch (error) {
    // Opening the file brings it up to date, or says why it cannot.
    if (error instanceof LedgerOutdated) return { damage: null, isUpToDate: false };
    const text = error instanceof Error ? error.message : String(error);
    const code = codeOf(error);
    return { damage: (text.split('\n')[0] ?? '').slice(0, 300), isUpToDate: false, ...(code !== null && { code }) };
  }
}

async function damageIn(reader: Reader): Promise<string | null> {
  return (await findContradiction(reader)) ?? damageOf(await proveBooks(reader));
}

function damageOf({ ok, accounts, currencies, executions }: LedgerProof): string | null {
  if (ok) return null;
  const wrong = accounts.find((account) => !account.ok);
  if (wrong !== undefined) {
    const { bban, name, stored, recomputed } = wrong;
    return `the account ${bban ?? name} carries ${formatAmount(stored)} ${stored.currency}, and its entries give ${formatAmount(recomputed)}`;
  }
  const unequal = [...currencies.values()].find(({ sum }) => sum.minor !== 0n);
  if (unequal !== undefined) return `the entries in ${unequal.sum.currency} do not sum to zero`;
  return `${executions.unbalanced} executions do not agree with their entries`;
}
