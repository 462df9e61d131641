import { clip } from '../values/text.ts';
import { addDuration, type Duration } from '../values/duration.ts';
import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { Refusal } from '../values/fault.ts';
import { formatInstant, startOfDay, type Instant, osloDate } from '../values/instant.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { nthRunAfter, type RunReport } from '../time/rules/settlement-run.ts';
import { type TransactionStatus, awaitsSignature } from '../values/transaction-status.ts';
import type { Writer } from '../ledger/database.ts';
import { findPayment, standingOrderOf, type Payment } from '../payments/rows/payments.ts';
import { advanceClock, type AdvanceReport } from './advance-clock.ts';
import { type BankContext, readBank, type PresentReading, type Reading } from '../bank/bank-context.ts';
import { bounds, requireClockInstant, requireWithinOneCall } from '../bank/read-clock.ts';
import { hasEnded } from '../payments/read-payment.ts';
import { paymentAt } from '../payments/rules/payment-status.ts';
import { firstIndexFrom, occurrence } from '../time/rules/occurrences.ts';
import { scheduleOfOrder } from '../payments/rows/orders.ts';

/** A status of a payment that an advance waits for. */
interface AwaitedStatus {
  readonly paymentId: string;
  readonly status: TransactionStatus;
}

/** How far to advance: to an instant, by a duration, by a number of scheduled runs, or until a payment has a status. */
export type AdvanceTarget =
  | { readonly to: Instant }
  | { readonly by: Duration }
  | { readonly runs: number }
  | { readonly until: AwaitedStatus };

interface AdvanceResult extends AdvanceReport {
  /** Whether the payment got the awaited status; null when no status was awaited. */
  readonly reached: boolean | null;
}

/** Callbacks that follow an advance. */
export interface AdvanceWatch {
  /**
   * The advance is allowed. `expected` is its target, or the end of the payment's last day when a status is awaited.
   */
  began(from: Instant, expected: Instant): void;
  /** Called for each run right after its commit. If it is left out, short runs share commits. */
  readonly ran?: ((report: RunReport) => void) | undefined;
  /** Called between two runs: true ends the advance there. */
  isGone(): boolean;
}

/** Follows nothing. */
export const noWatch: AdvanceWatch = { began: () => undefined, isGone: () => false };

/**
 * Advances the bank clock and carries out every run in between, in order (rules.md T5, T6; control plane: POST
 * /sandbox/clock/advance). Refuses without any change: a target in the past or a status that runs can never give the
 * payment (CONFLICT), more than 10 years in one call (BAD_REQUEST), an unknown payment (NOT_FOUND). `reached` is false
 * when the payment ended in another status or a reset removed it; the clock then stops at that moment.
 */
export async function advanceUntil(
  bank: BankContext,
  target: AdvanceTarget,
  watch: AdvanceWatch = noWatch,
): Promise<AdvanceResult> {
  if ('until' in target) return awaitStatus(bank, target.until, watch);
  const { now, instant } = await readBank(bank, (reading) => {
    return Promise.resolve({ now: reading.now, instant: targetInstant(reading, target) });
  });
  watch.began(now, instant);
  const shouldStop = () => Promise.resolve(watch.isGone());
  return { ...(await advanceClock(bank, instant, { shouldStop, ran: watch.ran })), reached: null };
}

function targetInstant(reading: PresentReading, target: Exclude<AdvanceTarget, { until: AwaitedStatus }>): Instant {
  if ('runs' in target) return nthRun(reading, target.runs);
  const { now } = reading;
  const instant = 'by' in target ? addDuration(now, target.by) : target.to;
  if (instant < now) {
    const text = `${formatInstant(instant)} has passed: the bank clock shows ${formatInstant(now)} and advances only.`;
    throw new Refusal({ code: 'CONFLICT', text, allowed: bounds(now, furthestAdvance(now)) });
  }
  requireClockInstant(instant);
  requireWithinOneCall(now, instant);
  return instant;
}

function nthRun({ bank, now, lastRunAt }: PresentReading, runs: number): Instant {
  const furthest = furthestAdvance(now);
  const run = nthRunAfter(lastRunAt, runs, bank.schedule.booking, furthest);
  if (run !== null) return run.at;
  const text = `One call advances 10 years at most, and ${runs} runs go beyond ${formatInstant(furthest)}. Advance in steps.`;
  throw new Refusal({ code: 'BAD_REQUEST', text, allowed: bounds(now, furthest) });
}

async function awaitStatus(bank: BankContext, awaited: AwaitedStatus, watch: AdvanceWatch): Promise<AdvanceResult> {
  const { now, expected } = await readBank(bank, async (reading) => {
    const { reader, now } = reading;
    const stored = await findPayment(reader, { resourceId: awaited.paymentId });
    if (stored === undefined) throw unknownPayment(awaited.paymentId);
    const payment = paymentAt(stored, now);
    if (payment.status === awaited.status) return { now, expected: now };
    await requireReachable(reading, payment, awaited.status);
    return { now, expected: await expectedEnd(reading, payment, awaited.status) };
  });
  watch.began(now, expected);
  let reached = false;
  // Asked before the first run too: another call may have cancelled the payment meanwhile, or a reset removed it.
  const shouldStop = async (tx: Writer, at: Instant): Promise<boolean> => {
    const stored = await findPayment(tx, { resourceId: awaited.paymentId });
    const payment = stored === undefined ? undefined : paymentAt(stored, at);
    reached = payment?.status === awaited.status;
    return reached || payment === undefined || watch.isGone() || (await hasEnded(tx, payment));
  };
  const report = await advanceClock(bank, furthestAdvance(now), { shouldStop, ran: watch.ran });
  return { ...report, isStopped: report.isStopped && !reached, reached };
}

/**
 * When the status is expected at the latest: at the end of the day on which the payment or its last occurrence is due,
 * PDNG at its beginning; the furthest instant without an end date.
 */
async function expectedEnd({ reader, now }: Reading, payment: Payment, status: TransactionStatus): Promise<Instant> {
  const isPeriodic = payment.service === 'periodic-payments';
  const lastDay: LocalDate | null = isPeriodic
    ? (await standingOrderOf(reader, payment.id)).end_date
    : payment.execution_date;
  return lastDay === null ? furthestAdvance(now) : startOfDay(status === 'PDNG' ? lastDay : addDays(lastDay, 1));
}

function unknownPayment(paymentId: string): Refusal {
  const text = `There is no payment ${clip(paymentId)}. A reset removes all payments.`;
  return new Refusal({ code: 'NOT_FOUND', path: 'until.paymentId', text });
}

/**
 * Throws CONFLICT if settlement runs cannot give the payment this status within the 10 years of one advance. The call
 * then changes nothing, instead of advancing the clock by ten years.
 */
async function requireReachable(reading: Reading, payment: Payment, status: TransactionStatus): Promise<void> {
  const isPeriodic = payment.service === 'periodic-payments';
  const isOver = await hasEnded(reading.reader, payment);
  const ahead = isOver ? [] : (statusesAhead[payment.service][payment.status] ?? []);
  if (!ahead.includes(status)) throw conflict(whyNot(payment.status, status, isOver), ahead);
  const furthest = furthestAdvance(reading.now);
  const isTooFar = isPeriodic
    ? await goesOnPast(reading, payment, furthest)
    : payment.execution_date !== null && payment.execution_date > osloDate(furthest);
  if (!isTooFar) return;
  const end = isPeriodic ? 'its last occurrence' : `its execution on ${payment.execution_date}`;
  throw conflict(`${end} is beyond ${formatInstant(furthest)}, the furthest that one call advances.`, []);
}

function whyNot(from: TransactionStatus, to: TransactionStatus, isOver: boolean): string {
  if (awaitsSignature(from)) return `it is ${from}, and runs leave it alone until the PSU has signed it.`;
  if (isOver && from === 'PART') return 'it is PART, and no item of it is open.';
  if (isOver) return `it is ${from}, which is final.`;
  return `it is ${from}, and no run makes it ${to}.`;
}

function conflict(why: string, allowed: readonly TransactionStatus[]): Refusal {
  return new Refusal({ code: 'CONFLICT', path: 'until', text: `The payment cannot get there: ${why}`, allowed });
}

async function goesOnPast({ bank, reader }: Reading, payment: Payment, at: Instant): Promise<boolean> {
  const schedule = scheduleOfOrder(await standingOrderOf(reader, payment.id));
  return occurrence(schedule, firstIndexFrom(schedule, osloDate(at)), bank.schedule.calendar) !== null;
}

type StatusesAhead = { readonly [Status in TransactionStatus]?: readonly TransactionStatus[] };

/**
 * The statuses that settlement runs and the due day can still give a payment (rules.md S2b, S4, S9b). None while it
 * waits for a signature, and once it is final. A periodic payment stays ACSP until it is ACSC or RJCT (R9, R9b). A bulk
 * payment that was PART ends ACSC or stays PART.
 */
const statusesAhead: Readonly<Record<'payments' | 'periodic-payments' | 'bulk-payments', StatusesAhead>> = {
  payments: {
    ACSP: ['PDNG', 'ACCP', 'ACSC', 'RJCT'],
    PDNG: ['ACCP', 'ACSC', 'RJCT'],
    ACCP: ['ACSC', 'RJCT'],
  },
  'periodic-payments': { ACSP: ['ACSC', 'RJCT'] },
  'bulk-payments': {
    ACSP: ['PDNG', 'ACCP', 'PART', 'ACSC', 'RJCT'],
    PDNG: ['ACCP', 'PART', 'ACSC', 'RJCT'],
    ACCP: ['PART', 'ACSC', 'RJCT'],
    PART: ['ACSC'],
  },
};
