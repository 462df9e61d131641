import { listSnapshots } from './bank/list-snapshots.ts';
import { resetBank } from './reset-bank.ts';
import type { BankContext } from './bank/bank-context.ts';
import { goBackTo } from './go-back-to.ts';
import { seededName } from './bank/seeded-snapshot.ts';
import { snapshotUnknown } from './bank/snapshot-name.ts';

/**
 * Goes back to a snapshot, ledger and clock; a running clock starts again from the snapshot's own instant (rules.md T7).
 * The snapshot stays, so that it can be restored again. NOT_FOUND when there is none of that name; CONFLICT when it was
 * made under other settlement times, or another program has the ledger open.
 */
export async function restoreSnapshot(bank: BankContext, name: string): Promise<void> {
  if (name === seededName) return resetBank(bank);
  const names = (await listSnapshots(bank)).map((snapshot) => snapshot.name);
  if (!names.includes(name)) throw snapshotUnknown(name, names);
  await goBackTo(bank, name, { cause: 'snapshot restored' });
}
