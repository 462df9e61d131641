import { type BankContext, followQuirks, forgetSwitched, bankTime } from './bank/bank-context.ts';
import {
  startAgain,
  type StartingPoint,
  usualRate,
  followLedger,
  renewAccessKey,
  requireSettlementTimes,
  paceClock,
} from './bank/change-state.ts';
import { requireClockInstant, bounds, requireWithinOneCall } from './bank/read-clock.ts';
import type { KnownState } from './bank/known-state.ts';
import {
  beganAsCopy,
  copiedKey,
  type LedgerImage,
  listSnapshots,
  snapshotUnknown,
  forgetOldSeeded,
  hasSeeded,
  seededName,
} from './bank/snapshots.ts';
import { bankState } from './bank/rows/bank-state.ts';
import { recreateTables, type Writer } from './ledger/database.ts';
import { createKnownState } from './sandbox-data/create-known-state.ts';
import { assert } from './values/assert.ts';
import { type ClockMode, clockRange, clockRates, isClockRate } from './time/rules/bank-clock.ts';
import { formatInstant, type Instant } from './values/instant.ts';
import { anyPayment } from './payments/rows/payments.ts';
import { advanceClock, type AdvanceReport } from './runs/advance-clock.ts';
import { Refusal } from './values/fault.ts';

/**
 * Resets ledger and clock to the known state, at its seeded instant and mode (rules.md T7, D1; control plane: POST
 * /sandbox/reset). Restores the seeded snapshot, so that a full ledger takes no longer and every id stays the same.
 * Another known state is created in new tables; so is one with another beginning of the clock. Later resets go back to
 * both too (control-plane.md C5). A copy goes back to where it began (B10). All or nothing: a process that dies changes
 * nothing.
 */
export async function resetBank(
  bank: BankContext,
  knownState: KnownState = bank.knownState,
  beginning: Partial<Pick<StartingPoint, 'now' | 'mode' | 'fixtures'>> = {},
): Promise<void> {
  if (beginning.now !== undefined) requireClockInstant(beginning.now);
  const isPlain = knownState === bank.knownState && Object.keys(beginning).length === 0;
  if (isPlain && (await beganAsCopy(bank))) return goBackTo(bank, copiedKey, { cause: 'reset' });
  const { seeded_at: seededAt, seeded_mode: seededMode } = await bank.ledger.read(bankState);
  const { now = seededAt, mode = seededMode, fixtures = bank.fixtures } = beginning;
  const isNamedSo = fixtures === bank.fixtures;
  const origin = isNamedSo && knownState === bank.knownState ? bank : await bank.originOf(knownState, fixtures);
  const isOwn = isNamedSo && origin.seededKey === bank.seededKey;
  if (isOwn && now === seededAt && mode === seededMode && (await hasSeeded(bank, seededAt)))
    return goBackTo(bank, bank.seededKey, { cause: 'reset', rate: usualRate });
  await bank.ledger.writeAndSave(origin.seededKey, async (tx) => {
    await recreateTables(tx);
    await createKnownState(bank, tx, knownState, { mode, now, fixtures });
    bank.tell({ kind: 'reset', at: now, cause: 'reset' });
    return now;
  });
  if (origin !== bank) bank.followOrigin(origin);
  await forgetOldSeeded(bank);
  await followLedger(bank);
  await followQuirks(bank);
}

/**
 * Restores ledger and clock from a snapshot; a running clock continues from the snapshot's instant (rules.md T7). The
 * snapshot can be restored again. NOT_FOUND for an unknown name; CONFLICT when it was made under other settlement
 * times.
 */
export async function restoreSnapshot(bank: BankContext, name: string): Promise<void> {
  if (name === seededName) return resetBank(bank);
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  if (!names.includes(name)) throw snapshotUnknown(name, names);
  await goBackTo(bank, name, { cause: 'snapshot restored' });
}

/**
 * Replaces ledger and clock by an image that this process took of them before a move of the clock (control-plane.md
 * C10).
 */
export async function takeBackMove(bank: BankContext, { bytes, now }: LedgerImage): Promise<void> {
  await replaceLedger(bank, { cause: 'move undone' }, (prepare) =>
    bank.ledger.restoreImage(bytes, (tx) => prepare(tx, now)),
  );
}

/** Why a copy takes the ledger's place. */
interface StartAgain {
  readonly cause: 'reset' | 'snapshot restored' | 'move undone';
  /** The default is the copy's. */
  readonly rate?: number;
}

/** Restores a snapshot that exists. */
async function goBackTo(bank: BankContext, key: string, why: StartAgain): Promise<void> {
  await replaceLedger(bank, { ...why, key }, async (prepare) => {
    const restored = await bank.ledger.restore(key, prepare);
    assert(restored !== null, 'a snapshot that was listed is there');
  });
}

/** Puts a copy in the ledger's place; a running clock goes on from the copy's instant. */
async function replaceLedger(
  bank: BankContext,
  { cause, rate, key }: StartAgain & { readonly key?: string },
  restore: (prepare: (tx: Writer, at: Instant) => Promise<void>) => Promise<void>,
): Promise<void> {
  await restore(async (tx, at) => {
    await requireSettlementTimes(bank, tx);
    await startAgain(bank, tx, at, rate);
    if (key === copiedKey) await renewAccessKey(tx);
    // The seeded snapshot has the quirks of a clock that was set back.
    else if (cause === 'reset') await forgetSwitched(bank, tx);
    bank.tell({ kind: 'reset', at, cause });
  });
  await followLedger(bank);
  await followQuirks(bank);
}

interface ClockSetting {
  /** It is null if the instant stays. */
  readonly now: Instant | null;
  /** It is null if the mode stays. */
  readonly mode: ClockMode | null;
  /** It is null if the rate stays. A frozen clock uses it once it runs again. */
  readonly rate: number | null;
}

/**
 * Sets instant, mode and rate of the bank clock. Forward is an advance: every run in between is carried out (rules.md
 * T7). Backward is allowed while no payment was ever initiated, else CONFLICT: the known state is created again at that
 * instant, which later resets use too. Returns null when the clock went back.
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
      await paceClock(bank, tx, pace, { now, steady });
      bank.tell({ kind: 'clock', at: now, change: 'set', ...pace });
    }
    return null;
  });
  if (wentBackTo === null) return advanceClock(bank, wanted.now ?? 'now');
  await forgetOldSeeded(bank);
  return null;
}

async function goBack(bank: BankContext, tx: Writer, current: Instant, start: StartingPoint): Promise<Instant> {
  if (await anyPayment(tx)) {
    const text =
      `The bank clock shows ${formatInstant(current)} and goes back only while no payment was initiated. ` +
      'POST /sandbox/reset removes the payments and goes back to where the ledger began.';
    throw new Refusal({ code: 'CONFLICT', text, allowed: bounds(current, clockRange.to) });
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
  throw new Refusal({ code: 'BAD_REQUEST', path: 'rate', text, allowed: { from: String(from), to: String(to) } });
}
