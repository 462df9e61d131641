import { contentHash, type HashedIds } from '../ledger/content-hash.ts';
import type { BankContext } from './bank-context.ts';

/** SHA-256 of the ledger's content, in hex. The same commands give the same hash, also in another process (rules.md T5). */
export function hashLedger(bank: BankContext, ids: HashedIds): Promise<string> {
  return bank.ledger.read((reader) => contentHash(reader, ids));
}

/**
 * Makes seeded ids follow from the ledger's current content. After a restart or a restore they then differ from those in
 * the ledger, and two branches of one snapshot get the same ids.
 */
export async function followLedger({ ids, ledger }: Pick<BankContext, 'ids' | 'ledger'>): Promise<void> {
  if (ids.follow === undefined) return;
  ids.follow(await ledger.read((reader) => contentHash(reader, 'included')));
}
