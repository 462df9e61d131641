import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove } from '../settlement/rules/transaction-status.ts';
import type { Writer } from '../ledger/database.ts';
import { cancelExecutions } from '../settlement/change-executions.ts';
import { type Payment, type PaymentsOf, removeEndedOrders, unfinishedPayments } from './rows/payments.ts';
import { forgetAnswers } from '../calls/first-answers.ts';
import { changeStatuses } from './change-status.ts';
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
  await cancelExecutions(tx, payments);
  await changeStatuses(bank, tx, changes, { at, leavesAt: null });
}

/**
 * Cancels the open payments of a deleted account, agreement or customer, and forgets the first answers to their calls, so that a
 * repeated call makes a payment again (rules.md D2). The ended standing orders of a deleted account leave the payment API (R9c), and
 * all answers about its payments are forgotten.
 */
export async function withdrawPayments(
  bank: BankContext,
  tx: Writer,
  of: PaymentsOf,
  change: { readonly at: Instant; readonly cause: string },
): Promise<void> {
  const payments = await unfinishedPayments(tx, of);
  await cancelPayments(bank, tx, payments, change);
  if ('accountId' in of) await removeEndedOrders(tx, of.accountId, change.at);
  await forgetAnswers(tx, 'accountId' in of ? of : { payments });
}
