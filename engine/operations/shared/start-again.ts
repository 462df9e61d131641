import { setBankClock } from '../../core/bank-clock.ts';
import type { Instant } from '../../core/instant.ts';
import { bankState, clockOf, saveClock } from '../../ledger/bank-state.ts';
import type { Transaction } from '../../ledger/database.ts';
import type { BankContext } from './bank-context.ts';
import { requireSettlementTimes } from './require-settlement-times.ts';

/** What a snapshot needs before it takes the ledger's place: a clock that goes on from its own instant (rules.md T7). */
export function startAgain(bank: BankContext): (tx: Transaction, at: Instant) => Promise<void> {
  return async (tx, at) => {
    await requireSettlementTimes(bank, tx);
    await saveClock(tx, setBankClock(clockOf(await bankState(tx)), at, bank.wall.now()));
  };
}
