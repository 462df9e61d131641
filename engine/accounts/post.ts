import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import { addToBatch } from './rows/batches.ts';
import { insertPostings, saveBalances } from './rows/entries.ts';
import type { Posting } from './rules/entry.ts';

/**
 * Writes the entries of postings, and the new balances of accounts: minor units by account key. A caller that posts in parts passes
 * the balances with the last part, or the books are wrong.
 */
export async function post(
  tx: Writer,
  postings: readonly Posting[],
  balances: ReadonlyMap<number, bigint>,
): Promise<void> {
  await insertPostings(tx, postings);
  await saveBalances(tx, balances);
}

/** A transfer of a bulk payment that settles. */
interface BatchItem {
  readonly paymentId: number;
  readonly executionId: number;
  /** Minor units. */
  readonly amount: bigint;
}

/** Adds these transfers to the batches of their bulk payments in a run. Returns the key of each batch, by that of the payment. */
export async function gatherInBatches(
  tx: Writer,
  settled: readonly BatchItem[],
  runAt: Instant,
): Promise<Map<number, number>> {
  const batches = new Map<number, number>();
  for (const [paymentId, items] of Map.groupBy(settled, (item) => item.paymentId)) {
    const [first] = items;
    if (first === undefined) continue;
    const amount = items.reduce((sum, item) => sum + item.amount, 0n);
    const part = { paymentId, runAt, executionId: first.executionId, transactions: items.length, amount };
    batches.set(paymentId, await addToBatch(tx, part));
  }
  return batches;
}
