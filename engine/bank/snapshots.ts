import type { Instant } from '../values/instant.ts';
import { type BankContext, bankNow } from './bank-context.ts';
import { quote } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { bankState } from './rows/bank-state.ts';
import { type LedgerToStartFrom, type SavedSnapshot, ledgerSize } from '../ledger/database.ts';

/** A saved copy of ledger and clock. */
export interface Snapshot {
  readonly name: string;
  /** Bank time of the copy. */
  readonly now: Instant;
}

/**
 * Saves ledger and clock under a name and replaces an earlier snapshot of that name (control plane: POST
 * /sandbox/snapshots). BAD_REQUEST for an invalid name, CONFLICT for the known state's and for one more than the most
 * (C10e).
 */
export async function saveSnapshot(bank: BankContext, name: string): Promise<Snapshot> {
  requireSnapshotName(name);
  await requireFewSnapshots(bank, name);
  const { at } = await bank.ledger.save(name, async (reader) => {
    const now = await bankNow(bank, reader);
    bank.tell({ kind: 'snapshot', at: now, name });
    return now;
  });
  return { name, now: at };
}

/** All snapshots: the known state first, then the others by name. A reset makes a missing copy of the known state. */
export async function listSnapshots(bank: BankContext): Promise<Snapshot[]> {
  const saved = await bank.ledger.snapshots();
  const named = saved.filter((snapshot) => !isSeeded(snapshot)).map(({ key, at }) => ({ name: key, now: at }));
  const copied = saved.find(({ key }) => key === copiedKey);
  const now = copied?.at ?? (await bank.ledger.read(bankState)).seeded_at;
  return [{ name: seededName, now }, ...named.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
}

/** Removes a snapshot. NOT_FOUND for an unknown name, CONFLICT for the known state's. */
export async function removeSnapshot(bank: BankContext, name: string): Promise<void> {
  requireSnapshotName(name);
  if (await bank.ledger.removeSnapshot(name)) return;
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  throw snapshotUnknown(name, names);
}

const snapshotName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Refuses an invalid name (BAD_REQUEST) and the known state's (CONFLICT). */
function requireSnapshotName(name: string): void {
  if (!snapshotName.test(name)) {
    const text = `The name ${quote(name)} is none for a snapshot: up to 64 letters, digits, dots, hyphens and underscores.`;
    throw new Refusal({ code: 'BAD_REQUEST', path: 'name', text, allowed: { name: snapshotName.source } });
  }
  if (name !== seededName) return;
  const text = `The snapshot ${seededName} is the known state that a reset restores. It can be restored, not replaced or removed.`;
  throw new Refusal({ code: 'CONFLICT', path: 'name', text });
}

/** The most snapshots of a bank, beside that of the known state. */
const maxSnapshots = 100;

/** CONFLICT for a new name if the bank has the most snapshots already. */
async function requireFewSnapshots(bank: BankContext, name: string): Promise<void> {
  const named = (await bank.ledger.snapshots()).filter((snapshot) => !isSeeded(snapshot));
  if (named.length < maxSnapshots || named.some(({ key }) => key === name)) return;
  const text = `The bank has ${maxSnapshots} snapshots beside ${seededName}, which is the most. Reuse a name, or remove one: DELETE /sandbox/snapshots/{name}.`;
  throw new Refusal({ code: 'CONFLICT', path: 'name', text, allowed: { snapshots: String(maxSnapshots) } });
}

/** NOT_FOUND with the names that exist. `path`: the member or parameter that has the name. */
export function snapshotUnknown(name: string, names: readonly string[], path = 'name'): Refusal {
  const text = `There is no snapshot ${quote(name)}.`;
  return new Refusal({ code: 'NOT_FOUND', path, text, allowed: names });
}

/** The name of the snapshot that a reset restores. */
export const seededName = 'seeded';

/**
 * The snapshot's key. Users cannot give this name; the fingerprint keeps a snapshot of other fixtures from being
 * restored.
 */
export function seededKeyOf(fingerprint: string): string {
  return `${seededName}+${fingerprint}`;
}

/**
 * The key of the snapshot of a copy as it began: a reset restores it in place of the known state (control-plane.md
 * B10).
 */
export const copiedKey = `${seededName}+copy`;

/** Whether a reset goes back to where the bank began as a copy. */
export async function beganAsCopy(bank: BankContext): Promise<boolean> {
  return (await bank.ledger.snapshots()).some(({ key }) => key === copiedKey);
}

/** Makes the present state of a copy the one that a reset goes back to. */
export async function beginHere(bank: BankContext): Promise<void> {
  await bank.ledger.save(copiedKey, (reader) => bankNow(bank, reader));
}

/** True for a snapshot of a known state, of earlier fixtures too. */
function isSeeded({ key }: SavedSnapshot): boolean {
  return key.startsWith(`${seededName}+`);
}

/** Removes the snapshots of earlier fixtures, once that of the current ones is saved. */
export async function forgetOldSeeded(bank: BankContext): Promise<void> {
  const old = (await bank.ledger.snapshots()).filter(isSeeded).filter(({ key }) => key !== bank.seededKey);
  for (const { key } of old) await bank.ledger.removeSnapshot(key);
}

/** True when the snapshot for a reset exists. False after the seeded instant was moved. */
export async function hasSeeded(bank: BankContext, seededAt: Instant): Promise<boolean> {
  const saved = await bank.ledger.snapshots();
  return saved.some(({ key, at }) => key === bank.seededKey && at === seededAt);
}

/** A ledger outside of its storage. */
export interface LedgerImage {
  /** An SQLite file. */
  readonly bytes: Buffer;
  /** What the bank clock showed. */
  readonly now: Instant;
}

/** The ledger of a bank as it is between two transactions, changed by `change`. Its snapshots are left out. */
export async function takeLedgerImage(bank: BankContext, change?: LedgerToStartFrom['prepare']): Promise<LedgerImage> {
  const { bytes, read } = await bank.ledger.image((reader) => bankNow(bank, reader), change);
  return { bytes, now: read };
}

/** The ledger of a bank as a snapshot has it. NOT_FOUND at `snapshot` for an unknown name. */
export async function imageOfSnapshot(bank: BankContext, name: string): Promise<LedgerImage> {
  const isCopy = name === seededName && (await beganAsCopy(bank));
  const found = await bank.ledger.snapshot(name === seededName ? (isCopy ? copiedKey : bank.seededKey) : name);
  if (found !== null && (name === seededName || !isSeeded(found))) return { bytes: found.bytes, now: found.at };
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  throw snapshotUnknown(name, names, 'snapshot');
}

/** Size of a bank's ledger in bytes: the upper limit of the size of its image. */
export function ledgerBytes(bank: BankContext): Promise<number> {
  return bank.ledger.read(ledgerSize);
}
