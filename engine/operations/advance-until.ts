import { addDuration, type Duration } from '../core/duration.ts';
import { furthestAdvance } from '../core/clock-range.ts';
import { Refusal } from '../core/fault.ts';
import { formatInstant, type Instant } from '../core/instant.ts';
import { nthRunAfter } from '../core/nth-run.ts';
import { isFinal, type TransactionStatus } from '../core/transaction-status.ts';
import { bankState } from '../ledger/bank-state.ts';
import type { Reader, Transaction } from '../ledger/database.ts';
import { findPayment } from '../ledger/payments.ts';
import { advanceClock, type AdvanceReport } from './advance-clock.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { bounds, requireClockInstant, requireWithinOneCall } from './shared/clock-bounds.ts';
import { NotAllowed } from './shared/not-allowed.ts';
import { requireReachable } from './shared/require-reachable.ts';

/** A status of a payment that an advance waits for. */
export interface AwaitedStatus {
  readonly paymentId: string;
  readonly status: TransactionStatus;
}

/** How far to advance: an instant, a time from now, a number of scheduled runs, or a payment's status. */
export type AdvanceTarget =
  { readonly to: Instant } | { readonly by: Duration } | { readonly runs: number } | { readonly until: AwaitedStatus };

export interface AdvanceResult extends AdvanceReport {
  /** Whether the payment got the status awaited; null when none was. */
  readonly reached: boolean | null;
}

/**
 * Advances the bank clock, every run in between in order (rules.md T5, T6; control plane: POST
 * /sandbox/clock/advance). Refuses, changing nothing: a target in the past, and a status that runs can never give the
 * payment (CONFLICT), more than 10 years in one call (BAD_REQUEST), an unknown payment (NOT_FOUND).
 */
export async function advanceUntil(bank: BankContext, target: AdvanceTarget): Promise<AdvanceResult> {
  if ('until' in target) return awaitStatus(bank, target.until);
  const instant = await bank.ledger.read(async (reader) => {
    const now = await bankNow(bank, reader);
    return instantOf(bank, reader, target, now);
  });
  return { ...(await advanceClock(bank, instant)), reached: null };
}

async function instantOf(
  bank: BankContext,
  reader: Reader,
  target: Exclude<AdvanceTarget, { until: AwaitedStatus }>,
  now: Instant,
): Promise<Instant> {
  if ('runs' in target) return nthRun(bank, reader, target.runs, now);
  const instant = 'by' in target ? addDuration(now, target.by) : target.to;
  if (instant < now) {
    const text = `${formatInstant(instant)} has passed: the bank clock shows ${formatInstant(now)} and advances only.`;
    throw new NotAllowed({ code: 'CONFLICT', text }, bounds(now, furthestAdvance(now)));
  }
  requireClockInstant(instant);
  requireWithinOneCall(now, instant);
  return instant;
}

async function nthRun(bank: BankContext, reader: Reader, runs: number, now: Instant): Promise<Instant> {
  const { last_run_at: lastRunAt } = await bankState(reader);
  const furthest = furthestAdvance(now);
  const run = nthRunAfter(lastRunAt, runs, bank.runs, furthest);
  if (run !== null) return run.at;
  const text = `One call advances 10 years at most, and ${runs} runs go beyond ${formatInstant(furthest)}. Advance in steps.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', text }, bounds(now, furthest));
}

async function awaitStatus(bank: BankContext, awaited: AwaitedStatus): Promise<AdvanceResult> {
  const { now, isThere } = await bank.ledger.read(async (reader) => {
    const payment = await findPayment(reader, awaited.paymentId);
    if (payment === undefined) throw unknownPayment(awaited.paymentId);
    const now = await bankNow(bank, reader);
    const isThere = payment.status === awaited.status;
    if (!isThere) await requireReachable(bank, reader, payment, awaited.status, now);
    return { now, isThere };
  });
  if (isThere) return { from: now, to: now, runs: [], skippedEmptyRuns: 0, reached: true };
  let reached = false;
  const report = await advanceClock(bank, furthestAdvance(now), async (tx: Transaction) => {
    const payment = await findPayment(tx, awaited.paymentId);
    reached = payment?.status === awaited.status;
    return reached || payment === undefined || isFinal(payment.status);
  });
  return { ...report, reached };
}

function unknownPayment(paymentId: string): Refusal {
  const text = `There is no payment ${paymentId.slice(0, 80)}. A reset removes all payments.`;
  return new Refusal({ code: 'NOT_FOUND', path: 'until.paymentId', text });
}
