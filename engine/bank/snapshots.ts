import type { Instant } from '../values/instant.ts';
import { type BankContext, bankNow } from './bank-context.ts';
import { isSeeded, seededName } from './seeded-snapshot.ts';
import { quote } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { NotAllowed } from './not-allowed.ts';

/** A copy of a bank, ledger and clock together. */
export interface Snapshot {
  readonly name: string;
  /** What the bank clock showed. */
  readonly now: Instant;
}

/**
 * Keeps ledger and clock under a name, in the place of an earlier snapshot of that name (control plane: POST
 * /sandbox/snapshots). BAD_REQUEST for a name that cannot be, CONFLICT for the known state's.
 */
export async function saveSnapshot(bank: BankContext, name: string): Promise<Snapshot> {
  requireSnapshotName(name);
  const { at } = await bank.ledger.save(name, (reader) => bankNow(bank, reader));
  return { name, now: at };
}

/** The known state first, then the others by name. */
export async function listSnapshots(bank: BankContext): Promise<Snapshot[]> {
  const saved = await bank.ledger.snapshots();
  const named = saved.filter((snapshot) => !isSeeded(snapshot)).map(({ key, at }) => ({ name: key, now: at }));
  const seeded = saved.filter(({ key }) => key === bank.seededKey).map(({ at }) => ({ name: seededName, now: at }));
  return [...seeded, ...named.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
}

/** Forgets a snapshot. NOT_FOUND when there is none of that name, CONFLICT for the known state's. */
export async function removeSnapshot(bank: BankContext, name: string): Promise<void> {
  requireSnapshotName(name);
  if (await bank.ledger.removeSnapshot(name)) return;
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  throw snapshotUnknown(name, names);
}

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Refuses a name that no snapshot can have (BAD_REQUEST), and that of the known state, which is the bank's own (CONFLICT). */
export function requireSnapshotName(name: string): void {
  if (!pattern.test(name)) {
    const text = `The name ${quote(name)} is none for a snapshot: up to 64 letters, digits, dots, hyphens and underscores.`;
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: pattern.source });
  }
  if (name !== seededName) return;
  const text = `The snapshot ${seededName} is the known state that a reset restores. It can be restored, not replaced or removed.`;
  throw new Refusal({ code: 'CONFLICT', path: 'name', text });
}

/** There is no such snapshot: NOT_FOUND with those that there are. */
export function snapshotUnknown(name: string, names: readonly string[]): NotAllowed {
  const text = `There is no snapshot ${quote(name)}.`;
  return new NotAllowed({ code: 'NOT_FOUND', path: 'name', text }, names);
}
