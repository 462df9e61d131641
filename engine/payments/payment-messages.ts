import type { Reading, PresentReading } from '../bank/bank-context.ts';
import { runsOfPayment } from '../settlement/runs-of-payment.ts';
import type { Reader } from '../ledger/database.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { statusChangesOf, type Payment, requestedDateOf, standingOrderOf } from './rows/payments.ts';
import { firstRunAfter, runId, lateRun } from '../time/rules/settlement-run.ts';
import type { Warning } from '../values/fault.ts';
import { awaitsSignature, type TransactionStatus } from '../values/transaction-status.ts';
import type { LocalDate } from '../values/local-date.ts';
import { fixingWarning, type LateExecution, lateWarning, movedWarning } from './rules/payment-dates.ts';
import { failureMessages, noMessages, unsignedRejection, type PaymentMessages } from './rules/failure-messages.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { failedExecutions } from './rows/payment-executions.ts';
import { firstUntried } from '../settlement/rows/executions.ts';
import type { DatedExecution } from '../time/rules/banking-calendar.ts';
import { type Instant, osloDate, timeOfDay } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import { receivedTime, settlingAtOnce, shownDay } from './received-at.ts';
import { firstIfSigned } from './standing-orders.ts';

/** Statuses in which no run has tried a payment; a standing order keeps ACSP after its first occurrence. */
const untried: readonly TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG'];

/**
 * The execution day of a payment that no run has tried, or of the next occurrence of a standing order. An unsigned payment counts as
 * signed now (rules.md P3b, P3c, P13). Null if a run has tried it, if it settles at once (P10, P10b), and if no date is left. `payment` as it
 * reads at that time; `requested` is the date in its body, which is read if left out.
 */
async function untriedDates(
  reading: Reading,
  payment: Payment,
  requested?: LocalDate | null,
): Promise<DatedExecution | null> {
  const { reader, now } = reading;
  const { id, status } = payment;
  if (isInstant(payment.product) || !untried.includes(status)) return null;
  if (awaitsSignature(status) && (await settlingAtOnce(reading, [payment])).has(id)) return null;
  const signedOn = osloDate(payment.authorised_at ?? now);
  const executionDate = await shownDay(reading, payment, false);
  if (executionDate !== null) {
    const wanted = requested === undefined ? await requestedDateOf(reader, id) : requested;
    return { wanted: wanted ?? osloDate(payment.initiated_at), executionDate, rule: 'following', signedOn };
  }
  const order = await standingOrderOf(reader, id);
  const next = awaitsSignature(status)
    ? firstIfSigned(await runsOfPayment(reading, payment.id), order, now)
    : await firstUntried(reader, { paymentId: id });
  if (next === undefined) return null;
  return { wanted: next.nominalDate, executionDate: next.executionDate, rule: order.execution_rule, signedOn };
}

/** An execution that no run has tried. */
interface UntriedExecution {
  readonly dates: DatedExecution;
  /** The run that carries it out if no run of its day takes it any more (rules.md P3b, T4d). */
  readonly late: LateExecution | null;
  /** When its exchange rate is fixed, if it has a time of its own (rules.md T4f). */
  readonly fixing: Instant | null;
}

/** The execution of {@link untriedDates}, and when the bank receives it. A payment that nobody has signed counts as signed now. */
export async function untriedExecution(
  reading: PresentReading,
  payment: Payment,
  requested?: LocalDate | null,
): Promise<UntriedExecution | null> {
  const dates = await untriedDates(reading, payment, requested);
  if (dates === null) return null;
  const { executionDate } = dates;
  const signedAt = payment.authorised_at ?? reading.now;
  const { receivedAt, cutOff, fixing } = await receivedTime({ ...reading, now: signedAt }, payment, executionDate);
  const untried = { executionDate, receivedAt: payment.received_at ?? receivedAt, lastRunAt: reading.lastRunAt };
  const run = lateRun(untried, await runsOfPayment(reading, payment.id));
  const late = run === null ? null : { dueOn: executionDate, run, time: timeOfDay(run.at), cutOff };
  return { dates, late, fixing };
}

/**
 * The messages of an answer about a payment: that an untried payment is executed on another day or in a late run (rules.md P3, P3b,
 * P3c), and why the payment, an item or an occurrence failed (S7b). `payment` as it reads at that time; `requested` as in {@link
 * untriedDates}.
 */
export async function messagesOf(
  reading: PresentReading,
  payment: Payment,
  requested?: LocalDate | null,
): Promise<PaymentMessages> {
  const dates = warningMessages(await dateWarnings(reading, payment, requested));
  return joined(dates, await failuresOf(reading, payment));
}

async function dateWarnings(
  reading: PresentReading,
  payment: Payment,
  requested: LocalDate | null | undefined,
): Promise<Warning[]> {
  const untried = await untriedExecution(reading, payment, requested);
  if (untried === null) return [];
  const { dates, late, fixing } = untried;
  const what = { isPeriodic: payment.service === 'periodic-payments', isSigned: !awaitsSignature(payment.status) };
  const moved = movedWarning(what, dates, reading.bank.runs.calendar);
  return [
    ...(moved === null ? [] : [moved]),
    ...(late === null ? [] : [lateWarning(what, late)]),
    ...(fixing === null ? [] : [fixingWarning(fixing, reading.now)]),
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
