import { setBankClock } from '../core/bank-clock.ts';
import { clockRange } from '../core/clock-range.ts';
import { formatInstant, type Instant } from '../core/instant.ts';
import { bankState, saveClock } from '../ledger/bank-state.ts';
import { layTablesAnew, type Transaction } from '../ledger/database.ts';
import { anyPayment } from '../ledger/payments.ts';
import { advanceClock, type AdvanceReport } from './advance-clock.ts';
import { layKnownState } from './reset-bank.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { bounds, requireClockInstant, requireWithinOneCall } from './shared/clock-bounds.ts';
import { NotAllowed } from './shared/not-allowed.ts';

export interface ClockSetting {
  /** Null: the instant stays. */
  readonly now: Instant | null;
  /** Null: the mode stays. */
  readonly mode: 'running' | 'frozen' | null;
}

/**
 * Sets the bank clock. Forward is an advance: every run in between is carried out (rules.md T7). Backward only while no
 * payment was ever initiated, else CONFLICT: the bank's known state is then laid anew at that instant, which a later
 * reset goes back to. Null: it was laid anew, and no run took place.
 */
export async function setClock(bank: BankContext, wanted: ClockSetting): Promise<AdvanceReport | null> {
  if (wanted.now !== null) requireClockInstant(wanted.now);
  const wentBack = await bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    if (wanted.now !== null && wanted.now < now) return goBack(bank, tx, wanted.now, wanted.mode);
    if (wanted.now !== null && (await anyPayment(tx))) requireWithinOneCall(now, wanted.now);
    if (wanted.mode !== null) await saveClock(tx, setBankClock(wanted.mode, now, bank.wall.now()));
    return false;
  });
  return wentBack ? null : advanceClock(bank, wanted.now ?? 'now');
}

async function goBack(bank: BankContext, tx: Transaction, now: Instant, mode: ClockSetting['mode']): Promise<true> {
  if (await anyPayment(tx)) {
    const current = await bankNow(bank, tx);
    const text =
      `The bank clock shows ${formatInstant(current)} and goes back only while no payment was initiated. ` +
      'POST /sandbox/reset removes the payments and goes back to where the ledger began.';
    throw new NotAllowed({ code: 'CONFLICT', text }, bounds(current, clockRange.to));
  }
  const start = { now, mode: mode ?? (await bankState(tx)).clock_mode };
  await layTablesAnew(tx);
  await layKnownState(bank, tx, bank.knownState, start);
  return true;
}
