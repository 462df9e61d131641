import type { Reading, PresentReading } from '../bank/bank-context.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import type { Reader } from '../ledger/database.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { statusChangesOf, type Payment } from './rows/payments.ts';
import { firstRunAfter, runId } from '../time/rules/settlement-run.ts';
import type { Warning } from '../values/fault.ts';
import { awaitsSignature, type TransactionStatus } from '../values/transaction-status.ts';
import { fixingWarning, lateExecution, lateWarning, movedWarning } from './rules/payment-dates.ts';
import { failureMessages, noMessages, unsignedRejection, type PaymentMessages } from './rules/failure-messages.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { failedExecutions } from './rows/payment-executions.ts';
import { isInstant } from '../values/product.ts';
import { planOfPayment } from './plan-payments.ts';
import type { Plan } from './rules/plan.ts';

/** Statuses in which no run has tried a payment; a standing order keeps ACSP after its first occurrence. */
const untried: readonly TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG'];

/**
 * The plan of a payment that no run has tried, or of the next occurrence of a standing order. Null if a run has tried it. `payment` as it reads at
 * that time.
 */
export async function planOfUntried(reading: PresentReading, { id, status, product }: Payment): Promise<Plan | null> {
  return isInstant(product) || !untried.includes(status) ? null : planOfPayment(reading, id);
}

/**
 * The messages of an answer about a payment: that an untried payment is executed on another day or in a late run (rules.md P3, P3b,
 * P3c), and why the payment, an item or an occurrence failed (S7b). `payment` as it reads at that time.
 */
export async function messagesOf(reading: PresentReading, payment: Payment): Promise<PaymentMessages> {
  const plan = await planOfUntried(reading, payment);
  const dates = warningMessages(plan === null ? [] : dateWarnings(reading, payment, plan));
  return joined(dates, await failuresOf(reading, payment));
}

function dateWarnings({ bank, now }: Reading, payment: Payment, plan: Plan): Warning[] {
  const [execution] = plan.executions;
  if (execution === undefined) return [];
  const what = { isPeriodic: payment.service === 'periodic-payments', isSigned: !awaitsSignature(payment.status) };
  const late = lateExecution(plan);
  return [
    ...(execution.moved === null ? [] : [movedWarning(what, execution.moved, bank.runs.calendar)]),
    ...(late === null ? [] : [lateWarning(what, late)]),
    ...(plan.fixing === null ? [] : [fixingWarning(plan.fixing, now)]),
  ];
}

/** The messages of warnings; only a moved date concerns the PSU (rules.md P3). */
export function warningMessages(warnings: readonly Warning[]): PaymentMessages {
  return {
    toTpp: warnings.map((warning) => ({ category: 'WARNING', ...warning })),
    toPsu: warnings.filter(({ code }) => code === 'EXECUTION_DATE_INVALID').map(({ text }) => text),
  };
}

/** The messages of all, in their order. */
export function joined(...all: readonly PaymentMessages[]): PaymentMessages {
  return {
    toTpp: all.flatMap(({ toTpp }) => toTpp),
    toPsu: all.flatMap(({ toPsu }) => toPsu),
    ...(all.some(({ hadFunds }) => hadFunds === true) && { hadFunds: true }),
  };
}

/** Why parts of a payment failed; no message while the control plane forces another status. */
async function failuresOf(reading: PresentReading, payment: Payment): Promise<PaymentMessages> {
  const { reader } = reading;
  const { id, service, status, forced_status: forced, authorised_at: authorisedAt } = payment;
  if (forced !== null) return noMessages;
  if (authorisedAt === null) return status === 'RJCT' ? whyUnsigned(reader, id) : noMessages;
  const mayHaveFailed = service !== 'payments' || status === 'RJCT' || status === 'ACCP';
  const failed = mayHaveFailed ? await failedExecutions(reader, id) : [];
  // The status CANC already says that the whole payment was cancelled.
  const failures = status === 'CANC' ? failed.filter((failure) => failure.status !== 'CANC') : failed;
  if (failures.length === 0) return noMessages;
  const total = service === 'bulk-payments' ? (await bulkSum(reader, id)).count : failures.length;
  const nextRun = runId(firstRunAfter(reading.lastRunAt, await runsOfPayment(reading, id)));
  const cancelledFor = failures.some((failure) => failure.status === 'CANC') ? await causeOfEnd(reader, id) : '';
  return failureMessages({ service, total, endedSettled: status === 'ACSC', nextRun, cancelledFor }, failures);
}

/** Why a payment in PART ended: its last change (rules.md S9c). */
async function causeOfEnd(reader: Reader, paymentId: number): Promise<string> {
  return (await statusChangesOf(reader, paymentId)).at(-1)?.cause ?? '';
}

async function whyUnsigned(reader: Reader, paymentId: number): Promise<PaymentMessages> {
  const reason = (await rejectionsOf(reader, [paymentId])).get(paymentId)?.get(0);
  return reason === undefined ? noMessages : unsignedRejection(reason);
}
