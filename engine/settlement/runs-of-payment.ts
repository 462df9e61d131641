import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { type RunSchedule, runsFor } from '../time/rules/settlement-run.ts';
import { receivedOrders } from './rows/received-orders.ts';

/** Gives each of these payments the runs that try it (rules.md T4b, T4h). Reads nothing if all runs try every payment, at any time of day. */
export async function runsOfPayments(
  { runs: own, quirks }: Pick<BankContext, 'runs' | 'quirks'>,
  reader: Reader,
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
export async function runsOfPayment(
  bank: Pick<BankContext, 'runs' | 'quirks'>,
  reader: Reader,
  paymentId: number,
): Promise<RunSchedule> {
  return (await runsOfPayments(bank, reader, [paymentId]))(paymentId);
}
