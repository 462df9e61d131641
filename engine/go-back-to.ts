import { assert } from './values/assert.ts';
import type { BankContext } from './bank/bank-context.ts';
import { followLedger } from './bank/follow-ledger.ts';
import { startAgain, type StartAgain } from './start-again.ts';

/** Puts a snapshot that is there in the ledger's place; its clock goes on from its own instant, see {@link startAgain}. */
export async function goBackTo(bank: BankContext, key: string, how: StartAgain): Promise<void> {
  const restored = await bank.ledger.restore(key, startAgain(bank, how));
  assert(restored !== null, 'a snapshot that was listed is there');
  await followLedger(bank);
}
