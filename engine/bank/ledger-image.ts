import type { Instant } from '../values/instant.ts';
import { ledgerSize } from '../ledger/database.ts';
import { type BankContext, bankNow } from './bank-context.ts';

/** A ledger outside of its storage. */
export interface LedgerImage {
  /** An SQLite file. */
  readonly bytes: Buffer;
  /** What the bank clock showed. */
  readonly now: Instant;
}

/** The ledger of a bank as it is between two transactions. Its snapshots are left out. */
export async function takeLedgerImage(bank: BankContext): Promise<LedgerImage> {
  const { bytes, read } = await bank.ledger.image((reader) => bankNow(bank, reader));
  return { bytes, now: read };
}

/** Size of the ledger of a bank in bytes: that of its image at most. */
export function ledgerBytes(bank: BankContext): Promise<number> {
  return bank.ledger.read(ledgerSize);
}
