import type { PresentReading, Reading } from '../bank/bank-context.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { assert } from '../values/assert.ts';
import { changeLanes } from '../settlement/change-executions.ts';
import { firstUntried } from '../settlement/rows/executions.ts';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import type { Payment } from './rows/payments.ts';
import { openPaymentsTo, ordersOf, type OrderOfPayment } from './rows/orders.ts';
import { laneOf, type Plan, planOf, type Stored } from './rules/plan.ts';

/**
 * Plans payments that no run has tried. One that nobody has signed is told as if it were signed now (rules.md P3c, P13); of another what is
 * stored answers.
 */
export async function plansOf(
  reading: PresentReading,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, Plan>> {
  const { bank, reader, now, lastRunAt } = reading;
  const plans = new Map<number, Plan>();
  for (const found of await ordersOf(reader, paymentIds)) {
    const at = found.signed?.at ?? now;
    const moment = { at, lastRunAt, isSigned: found.signed !== null };
    plans.set(found.id, planOf(found.order, bank, moment, await storedOf(reader, found)));
  }
  return plans;
}

/** {@link plansOf} for one payment. */
export async function planOfPayment(reading: PresentReading, paymentId: number): Promise<Plan> {
  const plan = (await plansOf(reading, [paymentId])).get(paymentId);
  assert(plan !== undefined, `payment ${paymentId} is on the ledger`);
  return plan;
}

/** The execution date that is shown of a payment; of an unsigned one that of its plan, null if every date has passed. */
export function shownDate(
  { status, execution_date: date }: Pick<Payment, 'status' | 'execution_date'>,
  plan: Plan | null,
): LocalDate | null {
  return plan === null || !awaitsSignature(status) ? date : (plan.executions[0]?.executionDate ?? null);
}

/**
 * Plans a payment as it is signed at an instant: now, or that at which it was (rules.md P14). `lastRunAt`: the last run that has passed. Left out, no
 * run of this instant takes it.
 */
export async function planSigned(
  { bank, reader, now }: Reading,
  paymentId: number,
  lastRunAt: Instant = now,
): Promise<Plan> {
  const [found] = await ordersOf(reader, [paymentId]);
  assert(found !== undefined, `payment ${paymentId} is on the ledger`);
  const at = found.signed?.at ?? now;
  return planOf(found.order, bank, { at, lastRunAt, isSigned: true });
}

async function storedOf(
  reader: Reader,
  { id, executionDate, signed, nextIndex }: OrderOfPayment,
): Promise<Stored | null> {
  if (signed === null) return null;
  const next =
    executionDate === null
      ? await firstUntried(reader, { paymentId: id })
      : { index: 0, nominalDate: executionDate, executionDate };
  return { ...signed, executions: next === undefined ? [] : [next], nextIndex };
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
