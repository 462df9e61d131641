import { formatAmount } from '../values/money.ts';
import { findContradiction } from './rows/contradictions.ts';
import type { Reader } from '../ledger/database.ts';
import { codeOf } from '../ledger/ledger-condition.ts';
import { inspectFile } from '../ledger/inspect-file.ts';
import { proveBooks, type LedgerProof } from './prove-ledger.ts';

/** What is wrong with a ledger file; null: nothing. */
export interface Inspection {
  /** In a few words, for a person. */
  readonly damage: string | null;
  /** SQLite's, of a file that it cannot read. */
  readonly code?: string;
  /** False: an older program made its tables. Its pages were checked, its books have to be looked at when it is up to date. */
  readonly isUpToDate: boolean;
}

/**
 * Looks a ledger file through, changing nothing: its pages and indexes, its tables, and whether its books agree with their
 * entries (rules.md S5). Whatever cannot be read counts as damage.
 */
export async function inspectLedger(path: string): Promise<Inspection> {
  try {
    const file = await inspectFile(path);
    try {
      return { damage: file.isUpToDate ? await damageIn(file.reader) : null, isUpToDate: file.isUpToDate };
    } finally {
      await file.close();
    }
  } catch (error) {
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
