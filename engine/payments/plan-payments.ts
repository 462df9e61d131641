import type { PresentReading, Reading } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import { changeLanes } from '../settlement/change-executions.ts';
import { firstUntried } from '../settlement/rows/executions.ts';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import type { Payment } from './rows/payments.ts';
import { openPaymentsTo, orderIn, ordersOf, type OrderOfPayment, type OrderRow } from './rows/orders.ts';
import { laneOf, type Plan, planOf } from './rules/plan.ts';

/**
 * Plans payments that no run has tried. One that nobody has signed is told as if it were signed now (rules.md P3c,
 * P13); of another what is stored answers. Of thousands of unsigned ones most are alike, and share their plan.
 */
export async function plansToShow(
  reading: PresentReading,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, Plan>> {
  const plans = new Map<number, Plan>();
  const shared = new Map<string, Plan>();
  for (const found of await ordersOf(reading.reader, paymentIds)) {
    const key = found.signed === null && found.order.foreign === null ? JSON.stringify(found.order) : '';
    const plan = shared.get(key) ?? (await planAsStored(reading, found));
    if (key !== '') shared.set(key, plan);
    plans.set(found.id, plan);
  }
  return plans;
}

/** {@link plansToShow} for one payment, by its key or as it was read. */
export async function planToShow(reading: PresentReading, payment: number | OrderRow): Promise<Plan> {
  return planAsStored(reading, await orderIn(reading.reader, payment));
}

/** What is stored of a payment answers, if it is signed. */
async function planAsStored({ bank, reader, now, lastRunAt }: PresentReading, found: OrderOfPayment): Promise<Plan> {
  const { id, order, executionDate, signed, nextIndex } = found;
  if (signed === null) return planOf(order, bank, { at: now, lastRunAt, isSigned: false });
  const next =
    executionDate === null
      ? await firstUntried(reader, { paymentId: id })
      : { index: 0, nominalDate: executionDate, executionDate };
  const executions = next === undefined ? [] : [next];
  return planOf(order, bank, { at: signed.at, lastRunAt, isSigned: true }, { ...signed, executions, nextIndex });
}

/**
 * The execution date that is shown of a payment; of an unsigned one that of its plan, null if every date has passed.
 */
export function shownDate(
  { status, execution_date: date }: Pick<Payment, 'status' | 'execution_date'>,
  plan: Plan | null,
): LocalDate | null {
  return plan === null || !awaitsSignature(status) ? date : (plan.executions[0]?.executionDate ?? null);
}

/**
 * Plans a payment as it is signed at an instant: now, or that at which it was (rules.md P14). `lastRunAt`: the last run
 * that has passed. Left out, no run of this instant takes it.
 */
export async function planToRegister(
  { bank, reader, now }: Reading,
  payment: number | OrderRow,
  lastRunAt: Instant = now,
): Promise<Plan> {
  const { order, signed } = await orderIn(reader, payment);
  return planOf(order, bank, { at: signed?.at ?? now, lastRunAt, isSigned: true });
}

/** Gives the open payments to an account that opened or closed the lane that they have now (rules.md T9). */
export async function followAccount(tx: Writer, { bban }: { readonly bban: string | null }): Promise<void> {
  if (bban === null) return;
  const orders = await ordersOf(tx, await openPaymentsTo(tx, bban));
  await changeLanes(
    tx,
    orders.map(({ id, order }) => ({ paymentId: id, lane: laneOf(order) })),
  );
}
