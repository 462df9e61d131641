import { assert } from '../values/assert.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Writer } from '../ledger/database.ts';
import type { Occurrence } from '../time/rules/occurrences.ts';
import {
  cancelOpenExecutions,
  changeLanes,
  changeOpenAmount,
  changeOpenDate,
  insertExecutions,
  insertFollowingExecutions,
} from './rows/executions.ts';
import { rejectMarked, saveRejections } from './rows/provoked-rejections.ts';

/** The day on which all transfers of a single or bulk payment are executed. */
interface ExecutionDay {
  readonly date: LocalDate;
  readonly status: 'ACSP' | 'PDNG';
  /** Whether transfers with a provoked rejection are rejected now, without an attempt (rules.md P14b). */
  readonly rejectsMarked?: boolean;
}

/** Schedules an execution for each transfer of an authorised payment, in the order of the body (rules.md S3). */
export async function scheduleTransfers(
  tx: Writer,
  paymentId: number,
  { date, status, rejectsMarked = false }: ExecutionDay,
): Promise<void> {
  await insertExecutions(tx, [{ paymentId, occurrence: 0, nominalDate: date, executionDate: date, status }]);
  if (rejectsMarked) await rejectMarked(tx, paymentId);
}

/** Schedules the first occurrences of an authorised standing order (rules.md R4). */
export async function scheduleOccurrences(
  tx: Writer,
  paymentId: number,
  occurrences: readonly Occurrence[],
): Promise<void> {
  const planned = occurrences.map(({ index, nominalDate, executionDate }) => {
    return { paymentId, occurrence: index, nominalDate, executionDate, status: 'ACSP' as const };
  });
  await insertExecutions(tx, planned);
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
 * Changes the open executions of a payment (rules.md P14): what is null stays. Later occurrences take their amount, in minor units of the
 * payment's currency, from them (R9). Only a single or bulk payment has one date.
 */
export async function changeExecutions(
  tx: Writer,
  paymentId: number,
  { amount, date }: { readonly amount: bigint | null; readonly date: LocalDate | null },
): Promise<void> {
  if (amount !== null) await changeOpenAmount(tx, paymentId, amount);
  if (date !== null) await changeOpenDate(tx, paymentId, date);
}

/** Gives the open payments to an account that opened or closed the lane that they have now (rules.md T9). */
export async function followAccount(tx: Writer, { bban }: { readonly bban: string | null }): Promise<void> {
  if (bban !== null) await changeLanes(tx, bban);
}

/** Has parts of a payment rejected at their next attempt for a reason, which replaces an earlier one (rules.md P14b). */
export async function provokeRejections(
  tx: Writer,
  paymentId: number,
  { sequences, reason }: { readonly sequences: readonly number[]; readonly reason: string },
): Promise<void> {
  assert(sequences.length > 0, 'P14b: a payment that has not ended has a part to reject');
  await saveRejections(tx, paymentId, sequences, reason);
}
