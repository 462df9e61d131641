import { type BankClock, type ClockMode, readBankClock } from '../time/rules/bank-clock.ts';
import type { Instant } from '../values/instant.ts';
import { ledgerSize } from '../ledger/database.ts';
import type { BankContext } from './bank-context.ts';
import { bankState, clockOf } from './rows/bank-state.ts';

/** What a list of banks shows of one. */
export interface Glance {
  /** What its clock shows. */
  readonly now: Instant;
  readonly mode: ClockMode;
  /** Size of its ledger; null: it has none yet. */
  readonly bytes: number | null;
}

/**
 * Returns a function that looks at a bank. It reads the ledger only after a change, so that a suspended bank stays suspended. Throws
 * LedgerUnavailable.
 */
export function glanceAt(bank: BankContext): () => Promise<Glance> {
  let known: { readonly version: number; readonly clock: BankClock; readonly bytes: number } | null = null;
  return async () => {
    const version = bank.ledger.version();
    if (known?.version !== version) {
      known = await bank.ledger.read(async (reader) => ({
        version,
        clock: clockOf(await bankState(reader)),
        bytes: await ledgerSize(reader),
      }));
    }
    const { clock, bytes } = known;
    return { now: readBankClock(clock, bank.steady.now()), mode: clock.mode, bytes };
  };
}
