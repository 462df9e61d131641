import { assert } from '../../core/assert.ts';
import type { Instant } from '../../core/instant.ts';
import { canMove, type TransactionStatus } from '../../core/transaction-status.ts';
import type { Transaction } from '../../ledger/database.ts';
import { updatePayment, type Payment } from '../../ledger/payments.ts';
import { insertStatusChanges } from '../../ledger/status-changes.ts';
import type { BankContext } from './bank-context.ts';

/** Moves one payment along the transition table and keeps the change (rules.md S9b, S10). */
export async function changeStatus(
  bank: BankContext,
  tx: Transaction,
  payment: Payment,
  status: TransactionStatus,
  change: { readonly at: Instant; readonly cause: string },
): Promise<Payment> {
  assert(canMove(payment.status, status), `a payment moves from ${payment.status} to ${status}`);
  await updatePayment(tx, payment.id, { status });
  await insertStatusChanges(tx, [{ paymentId: payment.id, status, cause: change.cause }], change.at, bank.wall.now());
  return { ...payment, status };
}
