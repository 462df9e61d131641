import { lastTransactionNumber } from '../accounts/rows/entries.ts';
import { recreateTables } from '../ledger/database.ts';
import { createKnownState } from './create-known-state.ts';
import { bankTime, type BankContext } from '../bank/bank-context.ts';

/** How much the known state holds. */
export interface InitializedSandbox {
  readonly customers: number;
  readonly accounts: number;
  readonly cardAccounts: number;
  readonly agreements: number;
  /** All under corporate agreements: a private customer's own agreement has none. */
  readonly engagements: number;
}

/**
 * Recreates the known state and keeps the clock: mode, rate, time, and the time to which a reset sets it (rules.md D1, T7).
 * Deletes everything else, PSU-IDs and consents included. No transactionId is given again (D7). All or nothing.
 */
export async function initializeSandbox(bank: BankContext): Promise<InitializedSandbox> {
  const { customers, agreements } = bank.knownState;
  await bank.ledger.write(async (tx) => {
    const { state, now, steady } = await bankTime(bank, tx);
    const { seeded_at, seeded_mode } = state;
    const kept = { seeded_at, seeded_mode, entries_before: await lastTransactionNumber(tx) };
    await recreateTables(tx);
    const { clock_mode: mode, clock_rate: rate } = state;
    // `since` keeps the time to the millisecond: a running clock goes on while the state is created.
    await createKnownState(bank, tx, bank.knownState, { mode, rate, now, since: steady, kept });
    bank.tell({ kind: 'reset', at: now, cause: 'initialized' });
  });
  // The list has corporate agreements only; every private customer has its own.
  const own = customers.filter(({ type }) => type === 'private').length;
  return {
    customers: customers.length,
    accounts: customers.flatMap(({ accounts }) => accounts).length,
    cardAccounts: customers.flatMap(({ cards = [] }) => cards).length,
    agreements: agreements.length + own,
    engagements: agreements.flatMap(({ engagements }) => engagements).length,
  };
}
