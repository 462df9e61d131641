import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { Writer } from '../ledger/database.ts';
import { updatePayment, type Payment } from './rows/payments.ts';
import { keepStatusChanges } from './keep-status-changes.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** When and why a status changes. */
export interface StatusChange {
  readonly at: Instant;
  readonly cause: string;
  /** Whether the payment is new: its row holds no status that it was given before (rules.md A5). */
  readonly isFirst?: boolean;
  /** What else of the payment changes with its status. */
  readonly also?: Partial<Pick<Payment, 'authorised_at' | 'execution_date' | 'settled_at'>>;
}

/**
 * Moves one payment along the transition table and keeps the change (rules.md S9b, S10), and what else changes with it; the
 * payment as it is then.
 */
export async function changeStatus(
  bank: BankContext,
  tx: Writer,
  payment: Payment,
  status: TransactionStatus,
  change: StatusChange,
): Promise<Payment> {
  const from = change.isFirst === true ? 'new' : payment.status;
  assert(canMove(from, status), `a payment moves from ${from} to ${status}`);
  const changed = await updatePayment(tx, payment.id, { ...change.also, status, forced_status: null });
  const kept = { paymentId: payment.id, resourceId: payment.resource_id, status, cause: change.cause };
  await keepStatusChanges(bank, tx, [kept], change.at);
  return changed;
}
