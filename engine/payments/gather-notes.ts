import type { Reading, PresentReading } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { statusChangesOf, type Payment } from './rows/payments.ts';
import { firstRunAfter, runId } from '../time/rules/settlement-run.ts';
import type { TransactionStatus } from '../values/transaction-status.ts';
import { type DateNotes, lateExecution, type PaymentNotes } from './rules/notes.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { failedExecutions } from './rows/payment-executions.ts';
import { isInstant } from '../values/product.ts';
import { planToShow } from './plan-payments.ts';
import type { Plan } from './rules/plan.ts';

/** Statuses in which no run has tried a payment; a standing order keeps ACSP after its first occurrence. */
const untried: readonly TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG'];

/**
 * What an answer tells of a payment: that an untried one is executed on another day or in a late run (rules.md P3, P3b,
 * P3c), and why the payment, an item or an occurrence failed (S7b). `payment` as it reads at that time; `known`: its
 * plan, which is read if left out.
 */
export async function notesOf(reading: PresentReading, payment: Payment, known?: Plan): Promise<PaymentNotes> {
  const { id, status, product } = payment;
  const isUntried = !isInstant(product) && untried.includes(status);
  const plan = isUntried ? (known ?? (await planToShow(reading, id))) : null;
  return {
    ignored: [],
    dates: plan && datesOfPlan(reading, payment, plan),
    failed: await failedParts(reading, payment),
  };
}

function datesOfPlan({ now }: Reading, { service }: Payment, plan: Plan): DateNotes | null {
  const [execution] = plan.executions;
  if (execution === undefined) return null;
  const fixing = plan.fixing === null ? null : { at: plan.fixing, hasPassed: plan.fixing <= now };
  return { isPeriodic: service === 'periodic-payments', moved: execution.moved, late: lateExecution(plan), fixing };
}

/** Why parts of a payment failed; no note while the control plane forces another status. */
async function failedParts(reading: PresentReading, payment: Payment): Promise<PaymentNotes['failed']> {
  const { bank, reader, lastRunAt } = reading;
  const { id, service, status, forced_status: forced, authorised_at: authorisedAt } = payment;
  if (forced !== null) return null;
  if (authorisedAt === null) return status === 'RJCT' ? whyUnsigned(reader, id) : null;
  const mayHaveFailed = service !== 'payments' || status === 'RJCT' || status === 'ACCP';
  const failed = mayHaveFailed ? await failedExecutions(reader, id) : [];
  // The status CANC already says that the whole payment was cancelled.
  const failures = status === 'CANC' ? failed.filter((failure) => failure.status !== 'CANC') : failed;
  const [first] = failures;
  if (first === undefined) return null;
  const total = service === 'bulk-payments' ? (await bulkSum(reader, id)).count : failures.length;
  const nextRun = runId(firstRunAfter(lastRunAt, bank.schedule.of(first.lane)));
  const cancelledFor = failures.some((failure) => failure.status === 'CANC') ? await causeOfEnd(reader, id) : '';
  return { service, total, endedSettled: status === 'ACSC', nextRun, cancelledFor, failures };
}

/** Why a payment in PART ended: its last change (rules.md S9c). */
async function causeOfEnd(reader: Reader, paymentId: number): Promise<string> {
  return (await statusChangesOf(reader, { paymentId })).at(-1)?.cause ?? '';
}

async function whyUnsigned(reader: Reader, paymentId: number): Promise<PaymentNotes['failed']> {
  const reason = (await rejectionsOf(reader, [paymentId])).get(paymentId)?.get(0);
  return reason === undefined ? null : { rejectedUnsigned: reason };
}
