import { type BankContext, followQuirks, forgetSwitched } from './bank/bank-context.ts';
import {
  startAgain,
  type StartingPoint,
  usualRate,
  followLedger,
  requireSettlementTimes,
} from './bank/change-state.ts';
import { requireClockInstant } from './bank/read-clock.ts';
import type { KnownState } from './bank/known-state.ts';
import {
  type LedgerImage,
  listSnapshots,
  snapshotUnknown,
  forgetOldSeeded,
  hasSeeded,
  seededName,
} from './bank/snapshots.ts';
import { bankState } from './bank/rows/bank-state.ts';
import { recreateTables } from './ledger/database.ts';
import { createKnownState } from './sandbox-data/create-known-state.ts';
import { assert } from './values/assert.ts';

/**
 * Resets ledger and clock to the known state, at its seeded instant and mode (rules.md T7, D1; control plane: POST
 * /sandbox/reset). Restores the seeded snapshot, so that a full ledger takes no longer and every id stays the same. Another
 * known state is created in new tables; so is one with another beginning of the clock. Later resets go back to both too (control-plane.md
 * C5). All or nothing: a process that dies changes nothing.
 */
export async function resetBank(
  bank: BankContext,
  knownState: KnownState = bank.knownState,
  beginning: Partial<Pick<StartingPoint, 'now' | 'mode' | 'fixtures'>> = {},
): Promise<void> {
  if (beginning.now !== undefined) requireClockInstant(beginning.now);
  const { seeded_at: seededAt, seeded_mode: seededMode } = await bank.ledger.read(bankState);
  const { now = seededAt, mode = seededMode, fixtures = bank.fixtures } = beginning;
  const isNamedSo = fixtures === bank.fixtures;
  const origin = isNamedSo && knownState === bank.knownState ? bank : bank.originOf(knownState, fixtures);
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
 * Restores ledger and clock from a snapshot; a running clock continues from the snapshot's instant (rules.md T7). The snapshot can be
 * restored again. NOT_FOUND for an unknown name; CONFLICT when it was made under other settlement times.
 */
export async function restoreSnapshot(bank: BankContext, name: string): Promise<void> {
  if (name === seededName) return resetBank(bank);
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  if (!names.includes(name)) throw snapshotUnknown(name, names);
  await goBackTo(bank, name, { cause: 'snapshot restored' });
}

/**
 * Replaces ledger and clock by an image that this process took of them before a move of the clock (control-plane.md C8). A running clock
 * continues from the image's instant.
 */
export async function takeBackMove(bank: BankContext, { bytes, now }: LedgerImage): Promise<void> {
  await bank.ledger.restoreImage(bytes, async (tx) => {
    await startAgain(bank, tx, now);
    bank.tell({ kind: 'reset', at: now, cause: 'move undone' });
  });
  await followLedger(bank);
  await followQuirks(bank);
}

/** Why a snapshot takes the ledger's place. */
interface StartAgain {
  readonly cause: 'reset' | 'snapshot restored';
  /** Left out: the snapshot's. */
  readonly rate?: number;
}

/** Restores a snapshot that exists; its clock goes on from its instant. */
async function goBackTo(bank: BankContext, key: string, { cause, rate }: StartAgain): Promise<void> {
  const restored = await bank.ledger.restore(key, async (tx, at) => {
    await requireSettlementTimes(bank, tx);
    await startAgain(bank, tx, at, rate);
    // The seeded snapshot has the quirks of a clock that was set back.
    if (cause === 'reset') await forgetSwitched(bank, tx);
    bank.tell({ kind: 'reset', at, cause });
  });
  assert(restored !== null, 'a snapshot that was listed is there');
  await followLedger(bank);
  await followQuirks(bank);
}
