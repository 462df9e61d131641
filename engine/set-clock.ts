import { type ClockMode, clockRange, clockRates, isClockRate } from './time/rules/bank-clock.ts';
import { formatInstant, type Instant } from './values/instant.ts';
import { recreateTables, type Writer } from './ledger/database.ts';
import { anyPayment } from './payments/rows/payments.ts';
import { advanceClock, type AdvanceReport } from './runs/advance-clock.ts';
import { createKnownState } from './sandbox-data/create-known-state.ts';
import { bankTime, type BankContext } from './bank/bank-context.ts';
import { paceClock, type StartingPoint } from './bank/change-state.ts';
import { bounds, requireClockInstant, requireWithinOneCall } from './bank/read-clock.ts';
import { NotAllowed } from './values/fault.ts';

interface ClockSetting {
  /** Null: the instant stays. */
  readonly now: Instant | null;
  /** Null: the mode stays. */
  readonly mode: ClockMode | null;
  /** Null: the rate stays. A frozen clock uses it once it runs again. */
  readonly rate: number | null;
}

/**
 * Sets instant, mode and rate of the bank clock. Forward is an advance: every run in between is carried out (rules.md T7).
 * Backward is allowed while no payment was ever initiated, else CONFLICT: the known state is created again at that instant,
 * which later resets use too. Returns null when the clock went back.
 */
export async function setClock(bank: BankContext, wanted: ClockSetting): Promise<AdvanceReport | null> {
  if (wanted.now !== null) requireClockInstant(wanted.now);
  if (wanted.rate !== null) requireRate(wanted.rate);
  const wentBackTo = await bank.ledger.writeAndSave(bank.seededKey, async (tx) => {
    const { now, state, steady } = await bankTime(bank, tx);
    const pace = { mode: wanted.mode ?? state.clock_mode, rate: wanted.rate ?? state.clock_rate };
    if (wanted.now !== null && wanted.now < now)
      return goBack(bank, tx, now, { now: wanted.now, ...pace, quirks: state.quirks });
    if (wanted.now !== null && (await anyPayment(tx))) requireWithinOneCall(now, wanted.now);
    if (wanted.mode !== null || wanted.rate !== null) {
      await paceClock(tx, pace, { now, steady });
      bank.tell({ kind: 'clock', at: now, change: 'set', ...pace });
    }
    return null;
  });
  return wentBackTo === null ? advanceClock(bank, wanted.now ?? 'now') : null;
}

async function goBack(bank: BankContext, tx: Writer, current: Instant, start: StartingPoint): Promise<Instant> {
  if (await anyPayment(tx)) {
    const text =
      `The bank clock shows ${formatInstant(current)} and goes back only while no payment was initiated. ` +
      'POST /sandbox/reset removes the payments and goes back to where the ledger began.';
    throw new NotAllowed({ code: 'CONFLICT', text }, bounds(current, clockRange.to));
  }
  await recreateTables(tx);
  await createKnownState(bank, tx, bank.knownState, start);
  bank.tell({ kind: 'reset', at: start.now, cause: 'clock set back' });
  return start.now;
}

function requireRate(rate: number): void {
  if (isClockRate(rate)) return;
  const { from, to } = clockRates;
  const text = `The rate ${rate} is none: expected a whole number from ${from}, as the wall clock goes, to ${to}, a day a second.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', path: 'rate', text }, { from: String(from), to: String(to) });
}
