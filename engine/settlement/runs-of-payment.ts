import type { Moment } from '../bank/bank-context.ts';
import { type RunSchedule, runsFor } from '../time/rules/settlement-run.ts';
import { receivedOrders } from './rows/received-orders.ts';

/** Gives each of these payments the runs that try it (rules.md T4b, T4h). Reads nothing if all runs try every payment, at any time of day. */
export async function runsOfPayments(
  { bank: { runs: own, quirks }, reader }: Moment,
  paymentIds: readonly number[],
): Promise<(paymentId: number) => RunSchedule> {
  const runs = quirks.has('value-date') ? { ...own, datesByRun: true } : own;
  if (runs.byType === undefined && runs.cutOffRules === undefined) return () => runs;
  const orders = await receivedOrders(reader, paymentIds);
  return (paymentId) => {
    const order = orders.get(paymentId);
    return order === undefined ? runs : runsFor(order, runs);
  };
}

/** {@link runsOfPayments} for one payment. */
export async function runsOfPayment(moment: Moment, paymentId: number): Promise<RunSchedule> {
  return (await runsOfPayments(moment, [paymentId]))(paymentId);
}
