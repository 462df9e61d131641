import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove, type TransactionStatus } from '../values/transaction-status.ts';
import {
  namedPayments,
  type NamedPayment,
  type Payment,
  type PaymentUpdate,
  updatePayment,
  updatePaymentStatuses,
  insertStatusChanges,
  type NewStatusChange,
  type PaymentsOf,
  removeEndedOrders,
  unfinishedPayments,
} from './rows/payments.ts';
import type { Reading, Writing } from '../bank/bank-context.ts';
import { cancelExecutions } from '../settlement/change-executions.ts';
import { forgetAnswers } from '../calls/first-answers.ts';

/*
 * A change of status has three parts: the row of the payment, a line of its history, and what listeners hear.
 * `changeStatus` does all for one payment, `saveStatuses` the first two for many. `recordAndAnnounce` and `noteStatus`
 * do the last two, `announceStatuses` only the last.
 */

export interface StatusChange {
  readonly cause: string;
  /** True for a payment that is exempt from SCA: this is its first status, RCVD is not in its history (rules.md A5). */
  readonly isFirst?: boolean;
  /** Other columns that change with the status. */
  readonly also?: Pick<PaymentUpdate, 'authorised_at' | 'place' | 'received_at' | 'execution_date' | 'leaves_at'>;
}

/**
 * Changes the status of a payment as the transition table allows, and records the change (rules.md S9b, S10). Returns
 * the updated payment.
 */
export async function changeStatus(
  writing: Writing,
  payment: Payment,
  status: TransactionStatus,
  { isFirst = false, also, ...change }: StatusChange,
): Promise<Payment> {
  const from = isFirst ? 'new' : payment.status;
  assert(canMove(from, status), `a payment moves from ${from} to ${status}`);
  const changed = await updatePayment(writing.tx, payment.id, { ...also, status, forced_status: null });
  await noteStatus(writing, payment, { ...change, status });
  return changed;
}

/** A line of the history of a payment. `status`: left out, the one that the TPP reads. */
type StatusNote = Pick<StatusChange, 'cause'> & { readonly status?: TransactionStatus };

/** Adds a line to the history of a payment (rules.md S10), and announces it. */
export function noteStatus(writing: Writing, payment: Payment, note: StatusNote): Promise<void> {
  const status = payment.forced_status ?? payment.status;
  return recordAndAnnounce(writing, [{ status, ...note, paymentId: payment.id, payment }]);
}

/** The payment saves reading its id. A run, which changes many payments, leaves it out. */
export interface RecordedChange extends NewStatusChange {
  readonly payment?: NamedPayment;
}

/**
 * Stores the statuses of many payments, each at most once, with their history. Those that become ACSC leave the payment
 * API at `leavesAt` (rules.md S6). The caller knows that the transition table allows them, and announces them: a run
 * those of all its pages at its end.
 */
export async function saveStatuses(
  { bank, tx, now }: Writing,
  changes: readonly RecordedChange[],
  leavesAt: Instant | null,
): Promise<void> {
  await updatePaymentStatuses(tx, changes, leavesAt);
  await insertStatusChanges(tx, changes, now, bank.wall.now());
}

/** Adds status changes, at most one of each payment, to the history (rules.md S10), and announces them. */
export async function recordAndAnnounce(writing: Writing, changes: readonly RecordedChange[]): Promise<void> {
  await insertStatusChanges(writing.tx, changes, writing.now, writing.bank.wall.now());
  await announceStatuses(writing, changes);
}

/** Announces status changes. It names only as many payments as a listener wants: naming all takes a tenth of a run. */
export async function announceStatuses(
  { bank, reader, now: at }: Reading,
  changes: readonly RecordedChange[],
): Promise<void> {
  const named = changes.slice(Math.max(0, changes.length - bank.wanted('payment')));
  const leftOut = changes.length - named.length;
  if (leftOut > 0 && named.length > 0) bank.tell({ kind: 'left out', at, count: leftOut });
  const namedBy = await namedPayments(reader, keysOfUnnamed(named));
  for (const { paymentId, payment, status, cause } of named) {
    bank.tell({ kind: 'payment', at, paymentId: (payment ?? namedBy(paymentId)).resource_id, status, cause });
  }
}

function keysOfUnnamed(changes: readonly RecordedChange[]): number[] {
  return changes.flatMap(({ paymentId, payment }) => (payment === undefined ? [paymentId] : []));
}

/**
 * Cancels payments that are not settled, and their open executions (rules.md P12, R10, D2, S10). A bulk payment with a
 * settled item stays PART, which its history shows once more with the cause (S9c). An open SCA of such a payment stays
 * open: it fails when the PSU answers it, and redirects the PSU to the TPP.
 */
export async function cancelPayments(
  writing: Writing,
  payments: readonly Payment[],
  change: Pick<StatusChange, 'cause'>,
): Promise<void> {
  const changes = payments.map((payment) => {
    const status = payment.status === 'PART' ? 'PART' : 'CANC';
    assert(status === 'PART' || canMove(payment.status, status), `a payment moves from ${payment.status} to ${status}`);
    return { ...change, paymentId: payment.id, payment, status } as const;
  });
  await cancelExecutions(writing.tx, payments);
  await saveStatuses(writing, changes, null);
  await announceStatuses(writing, changes);
}

/**
 * Cancels the open payments of a deleted account, agreement or customer, and forgets the first answers to their calls,
 * so that a repeated call makes a payment again (rules.md D2). The ended standing orders of a deleted account leave the
 * payment API (R9c), and all answers about its payments are forgotten.
 */
export async function withdrawPayments(writing: Writing, of: PaymentsOf, cause: string): Promise<void> {
  const { tx, now } = writing;
  const payments = await unfinishedPayments(tx, of);
  await cancelPayments(writing, payments, { cause });
  if ('accountId' in of) await removeEndedOrders(tx, of.accountId, now);
  await forgetAnswers(tx, 'accountId' in of ? of : { payments });
}
