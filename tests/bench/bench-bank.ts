import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import type { Bank } from '../../engine/open-bank.ts';
import type { KnownCustomer } from '../../engine/bank/known-state.ts';
import { memoryBank } from '../lab/bank.ts';
import { bookStatements, eveningBefore } from '../lab/book.ts';
import { accountOf } from '../lab/lived-bank.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/** A bank for the bench. Its clocks are frozen: that of the wall, and in a new ledger that of the bank. */
export function openBenchBank(
  ledger: string,
  customers: readonly KnownCustomer[] = [],
  frozenAt = eveningBefore,
): Promise<Bank> {
  return memoryBank(frozenAt, { ledger, preparedLedger: null, knownState: { customers, agreements: [] } });
}

/** A private customer with so many accounts, from `bban` on, which have funds for everything. */
export function customer(customerNumber: string, bban: number, accounts = 1): KnownCustomer {
  const account = (index: number) => ({ ...accountOf(String(bban + index)), balance: '100000000.00' });
  const all = Array.from({ length: accounts }, (_, index) => account(index));
  return { customerNumber, name: `PSU ${customerNumber}`, type: 'private', accounts: all };
}

/** A server of this process whose bank has nobody but the accounts of a book, with `due` payments in its next run. */
export async function serveBook(folder: string, due: number, ledger: string): Promise<TestBank> {
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  const server = await startTestBank(eveningBefore, ['--ledger', ledger, '--fixtures', fixtures]);
  await carryOut(server.bank, bookStatements({ accounts: due / 10, due, history: 0 }));
  return server;
}

/** Carries out these statements of tests/lab/book.ts in one transaction. */
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

/** Removes a ledger with the files beside it. */
export function removeLedger(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, { force: true });
}
