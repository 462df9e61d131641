import type { Instant } from '../values/instant.ts';
import { bankNow, type BankContext } from './bank-context.ts';
import { requireSnapshotName } from './snapshot-name.ts';

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
  const { at } = await bank.ledger.save(name, async (reader) => {
    const now = await bankNow(bank, reader);
    bank.tell({ kind: 'snapshot', at: now, name });
    return now;
  });
  return { name, now: at };
}
