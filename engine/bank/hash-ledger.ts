import { contentHash, type HashedIds } from '../ledger/content-hash.ts';
import type { BankContext } from './bank-context.ts';

/** What a ledger holds, as one number: the same commands give the same one, in one process or another (rules.md T5). */
export function hashLedger(bank: BankContext, ids: HashedIds): Promise<string> {
  return bank.ledger.read((reader) => contentHash(reader, ids));
}
