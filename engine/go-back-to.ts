import { assert } from './values/assert.ts';
import type { BankContext } from './bank/bank-context.ts';
import { followLedger } from './bank/follow-ledger.ts';
import { startAgain } from './start-again.ts';

/** Puts a snapshot that is there in the ledger's place; its clock goes on from its own instant, at the rate given or the one it had. */
export async function goBackTo(bank: BankContext, key: string, rate?: number): Promise<void> {
  const restored = await bank.ledger.restore(key, startAgain(bank, rate));
  assert(restored !== null, 'a snapshot that was listed is there');
  await followLedger(bank);
}
