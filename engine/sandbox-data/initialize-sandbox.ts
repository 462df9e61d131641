import { saveSeededClock } from '../bank/rows/bank-state.ts';
import { recreateTables } from '../ledger/database.ts';
import { createKnownState } from './create-known-state.ts';
import { bankTime, type BankContext } from '../bank/bank-context.ts';

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
    const { state, now, steady } = await bankTime(bank, tx);
    await recreateTables(tx);
    const { clock_mode: mode, clock_rate: rate } = state;
    // As it was, to the millisecond: a running clock goes on while the state is laid.
    await createKnownState(bank, tx, bank.knownState, { mode, rate, now, since: steady });
    await saveSeededClock(tx, state);
    bank.tell({ kind: 'reset', at: now, cause: 'initialized' });
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
