import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { openBank, type Bank } from '../../engine/bank.ts';
import { parseInstant, type Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import type { KnownCustomer } from '../../engine/bank/known-state.ts';
import { eveningBefore } from '../../lab/book.ts';

/** A bank for the bench. Its clocks are frozen: that of the wall, and in a new ledger that of the bank. */
export function openBenchBank(
  ledger: string,
  customers: readonly KnownCustomer[] = [],
  frozenAt = eveningBefore,
): Promise<Bank> {
  const now = instant(frozenAt);
  return openBank({
    ledger,
    wall: { now: () => now, monotonic: () => 0 },
    ids: randomIds,
    calendar: norwegianCalendar(),
    knownState: { customers, agreements: [] },
    start: { mode: 'frozen', now },
  });
}

/** A private customer with so many accounts, from `bban` on, which have funds for everything. */
export function customer(customerNumber: string, bban: number, accounts = 1): KnownCustomer {
  const account = (number: string) => ({
    accountName: 'Brukskonto',
    bban: number,
    iban: `NO93${number}`,
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC',
    balance: '100000000.00',
  });
  const numbers = Array.from({ length: accounts }, (_, index) => String(bban + index));
  return { customerNumber, name: `PSU ${customerNumber}`, type: 'private', accounts: numbers.map(account) };
}

/** Carries out these statements of book.ts in one transaction. */
export async function carryOut({ ledger }: Pick<Bank, 'ledger'>, statements: readonly string[]): Promise<void> {
  await ledger.write(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
}

/** Closes a ledger so that it is one file, without a WAL: one to copy. */
export function closeInOnePiece(database: BetterSqlite3.Database): void {
  database.pragma('journal_mode = delete');
  database.close();
}

export function removeLedger(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, { force: true });
}

/** Parses an ISO 8601 instant; throws if it is none. */
export function instant(text: string): Instant {
  const found = parseInstant(text);
  if (found === null) throw new Error(`no instant: ${text}`);
  return found;
}
