import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { Writer } from '../ledger/database.ts';
import { namedPayments, type NamedPayment, type Payment, updatePayment } from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';
import { tellMet } from '../bank/tell-met.ts';
import { insertStatusChanges, type NewStatusChange } from '../settlement/rows/status-changes.ts';

/** When and why a status changes. */
export interface StatusChange {
  readonly at: Instant;
  readonly cause: string;
  /** True for a payment that is exempt from SCA: this is its first status, RCVD is not in its history (rules.md A5). */
  readonly isFirst?: boolean;
  /** What the TPP meets with it. */
  readonly situation?: Situation;
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
  const { at, cause, situation } = change;
  const kept = { paymentId: payment.id, payment, status, cause, ...(situation !== undefined && { situation }) };
  await keepStatusChanges(bank, tx, [kept], at);
  return changed;
}

/** The payment saves reading its id and its TPP. A run, which changes many payments, leaves it out. */
interface KeptStatusChange extends NewStatusChange {
  readonly payment?: NamedPayment;
  /** What the TPP meets with it. */
  readonly situation?: Situation;
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
  if (!bank.isHeard('payment') && !bank.isHeard('met')) return;
  const unnamed = changes.filter(({ payment }) => payment === undefined);
  const namedBy = await namedPayments(
    tx,
    unnamed.map(({ paymentId }) => paymentId),
  );
  const all = changes.map((change) => ({ ...change, payment: change.payment ?? namedBy(change.paymentId) }));
  for (const { payment, status, cause } of all) {
    bank.tell({ kind: 'payment', at, paymentId: payment.resource_id, status, cause });
  }
  const met = all.flatMap(({ payment: { tpp_id: tpp }, status, situation }) => [
    { tpp, what: status, times: 1 },
    ...(situation === undefined ? [] : [{ tpp, what: situation, times: 1 }]),
  ]);
  tellMet(bank, at, met);
}
