import type { BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import { insertStatusChanges, type NewStatusChange } from '../settlement/rows/status-changes.ts';
import type { Instant } from '../values/instant.ts';
import { paymentIdsOf } from './rows/payments.ts';

/** The id of the payment saves reading it. A run, which changes many payments, leaves it out. */
export interface KeptStatusChange extends NewStatusChange {
  readonly resourceId?: string;
}

/**
 * Keeps status changes, at most one of each payment, in the history (rules.md S10), and tells them. Everything that changes a status
 * passes here.
 */
export async function keepStatusChanges(
  bank: BankContext,
  tx: Writer,
  changes: readonly KeptStatusChange[],
  at: Instant,
): Promise<void> {
  await insertStatusChanges(tx, changes, at, bank.wall.now());
  if (!bank.isHeard('payment')) return;
  const unnamed = changes.filter(({ resourceId }) => resourceId === undefined);
  const names = await paymentIdsOf(
    tx,
    unnamed.map(({ paymentId }) => paymentId),
  );
  for (const { paymentId: key, resourceId, status, cause } of changes) {
    bank.tell({ kind: 'payment', at, paymentId: resourceId ?? names(key), status, cause });
  }
}
