import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { formatInstant, osloDate, type Instant } from '../values/instant.ts';
import { firstIndexFrom, occurrence } from '../time/rules/occurrences.ts';
import { awaitsSignature, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { Reader } from '../ledger/database.ts';
import { type Payment, standingOrderOf } from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { NotAllowed } from '../values/fault.ts';
import { hasEnded } from './find-payment.ts';
import { scheduleOfOrder } from './standing-orders.ts';

/**
 * Throws CONFLICT if settlement runs cannot give the payment this status within the 10 years of one advance. The call
 * then changes nothing, instead of advancing the clock by ten years.
 */
export async function requireReachable(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  status: TransactionStatus,
  now: Instant,
): Promise<void> {
  const isPeriodic = payment.service === 'periodic-payments';
  const isOver = await hasEnded(reader, payment);
  const ahead = isOver ? [] : statusesAhead(payment.status, payment.service);
  if (!ahead.includes(status)) throw conflict(whyNot(payment.status, status, isOver), ahead);
  const furthest = furthestAdvance(now);
  const isTooFar = isPeriodic
    ? await goesOnPast(bank, reader, payment, furthest)
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

function conflict(why: string, allowed: readonly TransactionStatus[]): NotAllowed {
  return new NotAllowed({ code: 'CONFLICT', path: 'until', text: `The payment cannot get there: ${why}` }, allowed);
}

async function goesOnPast(bank: BankContext, reader: Reader, payment: Payment, at: Instant): Promise<boolean> {
  const schedule = scheduleOfOrder(await standingOrderOf(reader, payment.id));
  return occurrence(schedule, firstIndexFrom(schedule, osloDate(at)), bank.runs.calendar) !== null;
}

type Ahead = { readonly [Status in TransactionStatus]?: readonly TransactionStatus[] };

const ahead: Readonly<Record<'payments' | 'periodic-payments' | 'bulk-payments', Ahead>> = {
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

/**
 * The statuses that settlement runs and the due day can still give a payment (rules.md S2b, S4, S9b). Empty while it waits for a
 * signature, and once it is final. A periodic payment stays ACSP until it is ACSC or RJCT (R9, R9b). A bulk payment that was PART
 * ends ACSC or stays PART.
 */
function statusesAhead(status: TransactionStatus, service: keyof typeof ahead): readonly TransactionStatus[] {
  return ahead[service][status] ?? [];
}
