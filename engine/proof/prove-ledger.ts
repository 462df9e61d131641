import type { Amount } from '../values/money.ts';
import { allReservations } from '../accounts/rows/reservations.ts';
import type { Reader } from '../ledger/database.ts';
import type { LocalDate } from '../values/local-date.ts';
import { proveExecutions, recomputeBalances, type ExecutionProof, type ProvenAccount } from './rows/ledger-proof.ts';
import type { BankContext } from '../bank/bank-context.ts';

interface CurrencyProof {
  /** Zero in a correct ledger. */
  readonly sum: Amount;
  readonly entries: number;
}

export interface LedgerProof {
  readonly ok: boolean;
  readonly currencies: ReadonlyMap<string, CurrencyProof>;
  readonly accounts: readonly ProvenAccount[];
  readonly executions: ExecutionProof;
  /** What is reserved or announced, the oldest first: in no sum, as it is no entry (rules.md S8b). */
  readonly reservations: readonly ReservationProof[];
}

interface ReservationProof {
  /** The BBAN of the account or, without one, its IBAN. */
  readonly account: string;
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly valueDate: LocalDate;
  /** When it is to be booked; null: no day is known. */
  readonly bookingDate: LocalDate | null;
}

/**
 * Recomputes the books from the entries (rules.md S5): every currency sums to zero, every balance is the sum of its
 * account's entries, every settled execution has its debit and its credit.
 */
export function proveLedger(bank: BankContext): Promise<LedgerProof> {
  return bank.ledger.read(proveBooks);
}

/** As {@link proveLedger}, inside the caller's transaction. */
export async function proveBooks(reader: Reader): Promise<LedgerProof> {
  const accounts = await recomputeBalances(reader);
  const currencies = sumByCurrency(accounts);
  const executions = await proveExecutions(reader);
  const ok =
    accounts.every((account) => account.ok) &&
    [...currencies.values()].every(({ sum }) => sum.minor === 0n) &&
    executions.unbalanced === 0;
  return { ok, currencies, accounts, executions, reservations: await provenReservations(reader) };
}

async function provenReservations(reader: Reader): Promise<ReservationProof[]> {
  return (await allReservations(reader)).map((row) => ({
    account: row.number,
    amount: { minor: row.amount_minor, currency: row.currency },
    valueDate: row.value_date,
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
