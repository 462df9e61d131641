import { type Amount, formatAmount } from '../values/money.ts';
import { allReservations } from '../accounts/rows/reservations.ts';
import { type Reader, isRefused } from '../ledger/database.ts';
import {
  proveExecutions,
  recomputeBalances,
  type ExecutionProof,
  type ProvenAccount,
  wrongJson,
} from './rows/ledger-proof.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { codeOf } from '../ledger/ledger-condition.ts';
import { inspectFile } from '../ledger/schema.ts';
import { messageOf } from '../values/message-of.ts';
import { oneLine } from '../values/text.ts';

interface CurrencyProof {
  /** Zero in a correct ledger. */
  readonly sum: Amount;
  readonly entries: number;
}

interface LedgerProof {
  readonly ok: boolean;
  readonly currencies: ReadonlyMap<string, CurrencyProof>;
  readonly accounts: readonly ProvenAccount[];
  readonly executions: ExecutionProof;
  /** What is reserved or announced, the oldest first: in no sum, as it is no entry (rules.md S8b). */
  readonly reservations: Awaited<ReturnType<typeof provenReservations>>;
}

/**
 * Recomputes the books from the entries (rules.md S5): every currency sums to zero, every balance is the sum of its
 * account's entries, every settled execution has its debit and its credit.
 */
export function proveLedger(bank: BankContext): Promise<LedgerProof> {
  return bank.ledger.read(proveBooks);
}

/** As {@link proveLedger}, inside the caller's transaction. */
async function proveBooks(reader: Reader): Promise<LedgerProof> {
  const accounts = await recomputeBalances(reader);
  const currencies = sumByCurrency(accounts);
  const executions = await proveExecutions(reader);
  const ok =
    accounts.every((account) => account.ok) &&
    [...currencies.values()].every(({ sum }) => sum.minor === 0n) &&
    executions.unbalanced === 0;
  return { ok, currencies, accounts, executions, reservations: await provenReservations(reader) };
}

async function provenReservations(reader: Reader) {
  return (await allReservations(reader)).map((row) => ({
    /** The BBAN of the account or, without one, its IBAN. */
    account: row.number,
    amount: { minor: row.amount_minor, currency: row.currency },
    valueDate: row.value_date,
    /** When it is to be booked, if a day is known. */
    bookingDate: row.booking_date,
  }));
}

function sumByCurrency(accounts: readonly ProvenAccount[]): ReadonlyMap<string, CurrencyProof> {
  const sums = new Map<string, CurrencyProof>();
  for (const { recomputed, entries } of accounts) {
    const known = sums.get(recomputed.currency);
    sums.set(recomputed.currency, {
      sum: { ...recomputed, minor: recomputed.minor + (known?.sum.minor ?? 0n) },
      entries: entries + (known?.entries ?? 0),
    });
  }
  return sums;
}

/** Result of checking a ledger file. */
export interface FileCheck {
  /** What is wrong, in a few words for people; null if the file is sound. */
  readonly damage: string | null;
  /** SQLite's error code when it cannot read the file. */
  readonly code?: string;
  /**
   * It is false if an older version made its tables. Its pages were checked; its books must be checked after the
   * migration.
   */
  readonly isUpToDate: boolean;
}

/**
 * Checks a ledger file without changing it: its tables, and with `all` pages, indexes, and the books against the
 * entries (rules.md S5). A file that cannot be read counts as damaged. It may be in use: the books are read from one
 * state of it.
 */
export async function inspectLedger(path: string, part: 'tables' | 'all'): Promise<FileCheck> {
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
    if (isRefused(error, 'outdated')) return { damage: null, isUpToDate: false };
    const text = messageOf(error);
    const code = codeOf(error);
    return { damage: (text.split('\n')[0] ?? '').slice(0, 300), isUpToDate: false, ...(code !== null && { code }) };
  }
}

/** What is wrong in the JSON and the books, in a few words for people; null if nothing is. */
export async function damageIn(reader: Reader): Promise<string | null> {
  const wrong = await wrongJson(reader);
  if (wrong === null) return damageOf(await proveBooks(reader));
  return `${wrong.column} of the row ${oneLine(wrong.key, 60)} of ${wrong.table} is not the JSON that belongs there`;
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
