import { readBankClock } from '../core/bank-clock.ts';
import { bankState, clockOf, saveClock, saveSeededClock } from '../ledger/bank-state.ts';
import { layTablesAnew } from '../ledger/database.ts';
import { layKnownState } from './reset-bank.ts';
import type { BankContext } from './shared/bank-context.ts';

/** What is there afterwards. */
export interface InitializedSandbox {
  readonly customers: number;
  readonly accounts: number;
  readonly cardAccounts: number;
  readonly agreements: number;
  /** Under agreements of corporations: a private customer's own agreement needs none. */
  readonly engagements: number;
}

/**
 * Lays the known state anew and keeps the clock: its mode, its rate, its time and what a reset sets it to (rules.md
 * D1, T7). Everything made since is gone, PSU-IDs and consents too. All or nothing.
 */
export async function initializeSandbox(bank: BankContext): Promise<InitializedSandbox> {
  const { customers, agreements } = bank.knownState;
  await bank.ledger.write(async (tx) => {
    const before = await bankState(tx);
    const clock = clockOf(before);
    await layTablesAnew(tx);
    await layKnownState(bank, tx, bank.knownState, { mode: clock.mode, now: readBankClock(clock, bank.wall.now()) });
    // As it was, to the millisecond: a running clock went on while the state was laid.
    await saveClock(tx, clock);
    await saveSeededClock(tx, before);
  });
  // Every private customer has an agreement of its own beside those that are listed.
  const own = customers.filter(({ type }) => type === 'private').length;
  return {
    customers: customers.length,
    accounts: customers.flatMap(({ accounts }) => accounts).length,
    cardAccounts: customers.flatMap(({ cards = [] }) => cards).length,
    agreements: agreements.length + own,
    engagements: agreements.flatMap(({ engagements }) => engagements).length,
  };
}
