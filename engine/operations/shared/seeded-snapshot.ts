import type { Instant } from '../../core/instant.ts';
import { bankState } from '../../ledger/bank-state.ts';
import type { SavedSnapshot } from '../../ledger/database.ts';
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

/** Keeps the known state that was just laid, for the resets to come, and forgets that of earlier fixtures. */
export async function saveSeeded(bank: BankContext): Promise<void> {
  const saved = await bank.ledger.snapshots();
  for (const { key } of saved.filter(isSeeded)) if (key !== bank.seededKey) await bank.ledger.removeSnapshot(key);
  await bank.ledger.save(bank.seededKey, async (reader) => (await bankState(reader)).seeded_at);
}

/** Whether there is what a reset restores: no, when the instant that it goes back to was moved since. */
export async function hasSeeded(bank: BankContext, seededAt: Instant): Promise<boolean> {
  const saved = await bank.ledger.snapshots();
  return saved.some(({ key, at }) => key === bank.seededKey && at === seededAt);
}
