import { assert } from '../values/assert.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Writer } from '../ledger/database.ts';
import type { Lane } from '../time/rules/lanes.ts';
import type { Occurrence } from '../time/rules/occurrences.ts';
import {
  cancelOpenExecutions,
  changeOpenAmount,
  changeOpenDate,
  insertExecutions,
  insertFollowingExecutions,
  saveLanes,
  type SignedPayment,
} from './rows/executions.ts';
import { rejectMarked, saveRejections } from './rows/provoked-rejections.ts';

/**
 * Schedules the executions of a signed payment, in the order of its body (rules.md S3, R4). `rejectsMarked`: transfers
 * with a provoked rejection are rejected now, without an attempt (P14b).
 */
export async function scheduleExecutions(
  tx: Writer,
  { rejectsMarked = false, ...signed }: SignedPayment & { readonly rejectsMarked?: boolean },
  planned: readonly Pick<Occurrence, 'index' | 'nominalDate' | 'executionDate'>[],
): Promise<void> {
  await insertExecutions(tx, signed, planned);
  if (rejectsMarked) await rejectMarked(tx, signed.paymentId);
}

/** The occurrences of a standing order that follow an execution; `after` is its key. */
export interface FollowingExecutions {
  readonly after: number;
  readonly occurrences: readonly Occurrence[];
}

/** Schedules the next occurrences of standing orders (rules.md R9). Returns how many. */
export async function scheduleFollowing(tx: Writer, following: readonly FollowingExecutions[]): Promise<number> {
  const executions = following.flatMap(({ after, occurrences }) => occurrences.map((each) => ({ ...each, after })));
  await insertFollowingExecutions(tx, executions);
  return executions.length;
}

/** Cancels the open executions of these payments (rules.md R10). */
export async function cancelExecutions(tx: Writer, payments: readonly { readonly id: number }[]): Promise<void> {
  const ids = payments.map(({ id }) => id);
  await cancelOpenExecutions(tx, ids);
}

/**
 * Changes the open executions of a payment (rules.md P14): what is null stays. Later occurrences take their amount, in
 * minor units of the payment's currency, from them (R9). Only a single or bulk payment has one date.
 */
export async function changeExecutions(
  tx: Writer,
  paymentId: number,
  { amount, date }: { readonly amount: bigint | null; readonly date: LocalDate | null },
): Promise<void> {
  if (amount !== null) await changeOpenAmount(tx, paymentId, amount);
  if (date !== null) await changeOpenDate(tx, paymentId, date);
}

/** Gives the open executions of these payments the lanes that they have now (rules.md T9). */
export function changeLanes(
  tx: Writer,
  lanes: readonly { readonly paymentId: number; readonly lane: Lane }[],
): Promise<void> {
  return saveLanes(tx, lanes);
}

/**
 * Has parts of a payment rejected at their next attempt for a reason, which replaces an earlier one (rules.md P14b).
 */
export async function provokeRejections(
  tx: Writer,
  paymentId: number,
  { sequences, reason }: { readonly sequences: readonly number[]; readonly reason: string },
): Promise<void> {
  assert(sequences.length > 0, 'P14b: a payment that has not ended has a part to reject');
  await saveRejections(tx, paymentId, sequences, reason);
}
