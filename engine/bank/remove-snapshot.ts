import { listSnapshots } from './list-snapshots.ts';
import type { BankContext } from './bank-context.ts';
import { requireSnapshotName, snapshotUnknown } from './snapshot-name.ts';

/** Forgets a snapshot. NOT_FOUND when there is none of that name, CONFLICT for the known state's. */
export async function removeSnapshot(bank: BankContext, name: string): Promise<void> {
  requireSnapshotName(name);
  if (await bank.ledger.removeSnapshot(name)) return;
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  throw snapshotUnknown(name, names);
}
