import type { Instant } from '../values/instant.ts';
import type { SavedSnapshot } from '../ledger/database.ts';
import type { BankContext } from './bank-context.ts';

/** The name of the snapshot that a reset restores. */
export const seededName = 'seeded';

/** Its key in the ledger is no name that a user can give, and differs for other fixtures: an old one is never taken for them. */
export function seededKeyOf(fingerprint: string): string {
  return `${seededName}+${fingerprint}`;
}

/** Whether a snapshot is one of a known state, that of earlier fixtures too. */
export function isSeeded({ key }: SavedSnapshot): boolean {
  return key.startsWith(`${seededName}+`);
}

/** Forgets the known state of earlier fixtures, once that of these is kept. */
export async function forgetOldSeeded(bank: BankContext): Promise<void> {
  const old = (await bank.ledger.snapshots()).filter(isSeeded).filter(({ key }) => key !== bank.seededKey);
  for (const { key } of old) await bank.ledger.removeSnapshot(key);
}

/** Whether there is what a reset restores: no, when the instant that it goes back to was moved since. */
export async function hasSeeded(bank: BankContext, seededAt: Instant): Promise<boolean> {
  const saved = await bank.ledger.snapshots();
  return saved.some(({ key, at }) => key === bank.seededKey && at === seededAt);
}
