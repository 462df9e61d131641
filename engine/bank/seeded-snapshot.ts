import type { Instant } from '../values/instant.ts';
import type { SavedSnapshot } from '../ledger/database.ts';
import type { BankContext } from './bank-context.ts';

/** The name of the snapshot that a reset restores. */
export const seededName = 'seeded';

/** The snapshot's key. Users cannot give this name; the fingerprint keeps a snapshot of other fixtures from being restored. */
export function seededKeyOf(fingerprint: string): string {
  return `${seededName}+${fingerprint}`;
}

/** True for a snapshot of a known state, also of earlier fixtures. */
export function isSeeded({ key }: SavedSnapshot): boolean {
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
