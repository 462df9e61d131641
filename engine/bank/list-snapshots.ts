import type { Snapshot } from './save-snapshot.ts';
import type { BankContext } from './bank-context.ts';
import { isSeeded, seededName } from './seeded-snapshot.ts';

/** The known state first, then the others by name. */
export async function listSnapshots(bank: BankContext): Promise<Snapshot[]> {
  const saved = await bank.ledger.snapshots();
  const named = saved.filter((snapshot) => !isSeeded(snapshot)).map(({ key, at }) => ({ name: key, now: at }));
  const seeded = saved.filter(({ key }) => key === bank.seededKey).map(({ at }) => ({ name: seededName, now: at }));
  return [...seeded, ...named.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
}
