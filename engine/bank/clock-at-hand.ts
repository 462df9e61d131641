import type { BankClock } from '../time/rules/bank-clock.ts';
import type { BankContext } from './bank-context.ts';
import type { Outlet } from './outlet.ts';
import { bankState, clockOf } from './rows/bank-state.ts';

/**
 * Returns a function that gives the bank's clock as it is stored, to read with the steady time of the moment; null when the ledger cannot be
 * read. It reads the ledger once after each time the clock was set, moved or put back, so that a call costs nothing else.
 */
export function clockAtHand(bank: BankContext & Pick<Outlet, 'listen'>): () => Promise<BankClock | null> {
  let known: Promise<BankClock | null> | null = null;
  const forget = (): void => {
    known = null;
  };
  bank.listen({ kinds: new Set(['clock', 'reset']), hear: forget, failed: forget });
  return () => {
    known ??= bank.ledger.read(bankState).then(clockOf, () => {
      known = null;
      return null;
    });
    return known;
  };
}
