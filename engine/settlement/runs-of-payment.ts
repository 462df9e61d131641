import type { Reading } from '../bank/bank-context.ts';
import { domesticLane, type Lane } from '../time/rules/lanes.ts';
import type { LaneRuns } from '../time/rules/settlement-run.ts';
import { lanesOf } from './rows/executions.ts';

/** Gives each of these signed payments the runs that try it (rules.md T9). Reads nothing if all lanes have the same. */
export async function runsOfPayments(
  { bank: { schedule }, reader }: Reading,
  paymentIds: readonly number[],
): Promise<(paymentId: number) => LaneRuns> {
  const lanes = schedule.tellsLanesApart ? await lanesOf(reader, paymentIds) : new Map<number, Lane>();
  return (paymentId) => schedule.of(lanes.get(paymentId) ?? domesticLane('private'));
}

/** {@link runsOfPayments} for one payment. */
export async function runsOfPayment(reading: Reading, paymentId: number): Promise<LaneRuns> {
  return (await runsOfPayments(reading, [paymentId]))(paymentId);
}
