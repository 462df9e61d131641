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
  /** True for a payment that is exempt from SCA: this is its first status, RCVD is not in its history (rules.md A5). */
  readonly isFirst?: boolean;
  /** Other columns that change with the status. */
  readonly also?: Partial<Pick<Payment, 'authorised_at' | 'execution_date' | 'leaves_at'>>;
}

/**
 * Changes the status of a payment as the transition table allows, and records the change (rules.md S9b, S10). Returns the
 * updated payment.
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
