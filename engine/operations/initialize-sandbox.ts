import { readBankClock } from '../core/bank-clock.ts';
import { bankState, saveClock, saveSeededAt } from '../ledger/bank-state.ts';
import { layTablesAnew } from '../ledger/database.ts';
import { layKnownState } from './reset-bank.ts';
import type { BankContext } from './shared/bank-context.ts';

/** What is there afterwards. */
export interface InitializedSandbox {
  readonly customers: number;
  readonly accounts: number;
  readonly agreements: number;
}

/**
 * Lays the known state anew and keeps the clock: mode, time, and the instant that a reset goes back to (rules.md D1,
 * T7). Everything made since is gone, PSU-IDs and consents too. All or nothing.
 */
export async function initializeSandbox(bank: BankContext): Promise<InitializedSandbox> {
  const { customers, agreements } = bank.knownState;
  await bank.ledger.write(async (tx) => {
    const { seeded_at: seededAt, clock_mode: mode, clock_value: value } = await bankState(tx);
    await layTablesAnew(tx);
    await layKnownState(bank, tx, bank.knownState, { mode, now: readBankClock({ mode, value }, bank.wall.now()) });
    // As it was, to the millisecond: a running clock went on while the state was laid.
    await saveClock(tx, { mode, value });
    await saveSeededAt(tx, seededAt);
  });
  const accounts = customers.reduce((sum, customer) => sum + customer.accounts.length, 0);
  // Every private customer has an agreement of its own beside those that are listed.
  const own = customers.filter(({ type }) => type === 'private').length;
  return { customers: customers.length, accounts, agreements: agreements.length + own };
}
