import { setBankClock } from './time/rules/bank-clock.ts';
import type { Instant } from './values/instant.ts';
import { clockOf, saveClock } from './bank/rows/bank-state.ts';
import type { Transaction } from './ledger/database.ts';
import { bankTime, type BankContext } from './bank/bank-context.ts';
import { requireSettlementTimes } from './runs/require-settlement-times.ts';

/** Why a snapshot takes the ledger's place. */
export interface StartAgain {
  readonly cause: 'reset' | 'snapshot restored';
  /** Left out: the snapshot's. */
  readonly rate?: number;
}

/**
 * What a snapshot needs before it takes the ledger's place: a clock that goes on from its own instant (rules.md T7), at the
 * rate given or the one it had.
 */
export function startAgain(
  bank: BankContext,
  { cause, rate }: StartAgain,
): (tx: Transaction, at: Instant) => Promise<void> {
  return async (tx, at) => {
    await requireSettlementTimes(bank, tx);
    const { state, steady } = await bankTime(bank, tx);
    const pace = clockOf(state);
    await saveClock(tx, setBankClock({ mode: pace.mode, rate: rate ?? pace.rate }, at, steady));
    bank.tell({ kind: 'reset', at, cause });
  };
}
