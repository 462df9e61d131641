import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove } from '../settlement/rules/transaction-status.ts';
import type { Writer } from '../ledger/database.ts';
import { cancelOpenExecutions } from '../settlement/rows/executions.ts';
import { updatePaymentStatuses, type Payment } from './rows/payments.ts';
import { keepStatusChanges } from './change-status.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';

/**
 * Cancels payments that are not settled, and their open executions (rules.md P12, R10, D2, S10). A bulk payment with a settled
 * item stays PART, which its history shows once more with the cause (S9c). An open SCA of such a payment stays open: it fails
 * when the PSU answers it, and redirects the PSU to the TPP.
 */
export async function cancelPayments(
  bank: BankContext,
  tx: Writer,
  payments: readonly Payment[],
  { at, ...change }: { readonly at: Instant; readonly cause: string; readonly situation?: Situation },
): Promise<void> {
  const changes = payments.map((payment) => {
    const status = payment.status === 'PART' ? 'PART' : 'CANC';
    assert(status === 'PART' || canMove(payment.status, status), `a payment moves from ${payment.status} to ${status}`);
    return { ...change, paymentId: payment.id, payment, status } as const;
  });
  await cancelOpenExecutions(
    tx,
    payments.map(({ id }) => id),
  );
  await updatePaymentStatuses(tx, changes, null);
  await keepStatusChanges(bank, tx, changes, at);
}
