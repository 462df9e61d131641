import { contentHash, type HashedIds } from '../ledger/content-hash.ts';
import type { BankContext } from './bank-context.ts';

/** What a ledger holds, as one number: the same commands give the same one, in one process or another (rules.md T5). */
export function hashLedger(bank: BankContext, ids: HashedIds): Promise<string> {
  return bank.ledger.read((reader) => contentHash(reader, ids));
}

/**
 * Has seeded ids follow from what the ledger holds now: it holds none of them yet, after a restart and after a restore
 * too, and two branches of one snapshot draw the same ones.
 */
export async function followLedger({ ids, ledger }: Pick<BankContext, 'ids' | 'ledger'>): Promise<void> {
  if (ids.follow === undefined) return;
  ids.follow(await ledger.read((reader) => contentHash(reader, 'included')));
}
