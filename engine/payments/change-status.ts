import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { canMove, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import {
  countByTpp,
  namedPayments,
  type NamedPayment,
  type Payment,
  updatePayment,
  updatePaymentStatuses,
  insertStatusChanges,
  type NewStatusChange,
} from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';
import { type Met, tellMet } from '../bank/outlet.ts';

/** When and why a status changes. */
export interface StatusChange {
  readonly at: Instant;
  readonly cause: string;
  /** True for a payment that is exempt from SCA: this is its first status, RCVD is not in its history (rules.md A5). */
  readonly isFirst?: boolean;
  /** The situation that the TPP meets with it. */
  readonly situation?: Situation;
  /** Other columns that change with the status. */
  readonly also?: Partial<Pick<Payment, 'authorised_at' | 'received_at' | 'execution_date' | 'leaves_at'>>;
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
export interface KeptStatusChange extends NewStatusChange {
  readonly payment?: NamedPayment;
  /** The situation that the TPP meets with it, if the payment is given. */
  readonly situation?: Situation;
}

/** The time of a change of many payments; those that become ACSC leave the payment API at `leavesAt` (rules.md S6). */
interface ChangesAt {
  readonly at: Instant;
  readonly leavesAt: Instant | null;
}

/**
 * Changes the statuses of many payments, each at most once, and announces the changes. The caller has checked the transition table.
 */
export async function changeStatuses(
  bank: BankContext,
  tx: Writer,
  changes: readonly KeptStatusChange[],
  when: ChangesAt,
): Promise<void> {
  await storeStatuses(bank, tx, changes, when);
  await tellStatusChanges(bank, tx, changes, when.at);
}

/** As {@link changeStatuses}, without announcing: a run announces the changes of all its pages at its end. */
export async function storeStatuses(
  bank: BankContext,
  tx: Writer,
  changes: readonly KeptStatusChange[],
  { at, leavesAt }: ChangesAt,
): Promise<void> {
  await updatePaymentStatuses(tx, changes, leavesAt);
  await insertStatusChanges(tx, changes, at, bank.wall.now());
}

/** Keeps status changes, at most one of each payment, in the history (rules.md S10), and announces them. */
export async function keepStatusChanges(
  bank: BankContext,
  tx: Writer,
  changes: readonly KeptStatusChange[],
  at: Instant,
): Promise<void> {
  await insertStatusChanges(tx, changes, at, bank.wall.now());
  await tellStatusChanges(bank, tx, changes, at);
}

/**
 * Announces status changes, and what the TPPs met with them. It names only as many payments as a listener wants: naming all takes a
 * tenth of a run.
 */
export async function tellStatusChanges(
  bank: BankContext,
  reader: Reader,
  changes: readonly KeptStatusChange[],
  at: Instant,
): Promise<void> {
  const named = changes.slice(Math.max(0, changes.length - bank.wanted('payment')));
  const leftOut = changes.length - named.length;
  if (leftOut > 0 && named.length > 0) bank.tell({ kind: 'left out', at, count: leftOut });
  const namedBy = await namedPayments(reader, keysOfUnnamed(named));
  for (const { paymentId, payment, status, cause } of named) {
    bank.tell({ kind: 'payment', at, paymentId: (payment ?? namedBy(paymentId)).resource_id, status, cause });
  }
  if (bank.isHeard('met')) tellMet(bank, at, await metWith(reader, changes));
}

async function metWith(reader: Reader, changes: readonly KeptStatusChange[]): Promise<Met[]> {
  const met: Met[] = [];
  for (const { payment, status, situation } of changes) {
    if (payment === undefined) continue;
    met.push({ tpp: payment.tpp_id, what: status, times: 1 });
    if (situation !== undefined) met.push({ tpp: payment.tpp_id, what: situation, times: 1 });
  }
  for (const [status, alike] of Map.groupBy(changes, (change) => change.status)) {
    const counts = await countByTpp(reader, keysOfUnnamed(alike));
    met.push(...counts.map((count) => ({ ...count, what: status })));
  }
  return met;
}

function keysOfUnnamed(changes: readonly KeptStatusChange[]): number[] {
  return changes.flatMap(({ paymentId, payment }) => (payment === undefined ? [paymentId] : []));
}
