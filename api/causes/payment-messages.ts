import type {
  DateNotes,
  FailedParts,
  FailedPart,
  LateExecution,
  PaymentNotes,
} from '../../engine/payments/rules/notes.ts';
import { failureOf, lastAttempt } from '../../engine/settlement/rules/decide-attempts.ts';
import type { MovedDate } from '../../engine/time/rules/banking-calendar.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import type { FaultCode, Warning } from '../../engine/values/fault.ts';
import { osloDate, timeOfDay } from '../../engine/values/instant.ts';
import { formatWeekday } from '../../engine/values/local-date.ts';
import { withoutTrailing } from '../../engine/values/text.ts';

/** A message to a TPP about a payment that it reads (interface: TPP message). */
interface PaymentMessage {
  readonly category: 'ERROR' | 'WARNING';
  readonly code: FaultCode;
  /** Path of a bulk payment's item: `payments[3]`. */
  readonly path?: string;
  /** At most 512 characters. */
  readonly text: string;
}

/** Messages of an answer that shows a payment: to the TPP, and sentences for the PSU. */
interface PaymentMessages {
  readonly toTpp: readonly PaymentMessage[];
  readonly toPsu: readonly string[];
}

/** Says the notes of a payment, to its TPP and to its PSU (rules.md P3, P3b, S7b). No amount is named (S4b). */
export function messagesOf({ ignored, dates, failed }: PaymentNotes): PaymentMessages {
  const warnings = [...ignored, ...(dates === null ? [] : dateWarnings(dates))];
  const failures = failed === null ? noMessages : failureMessages(failed);
  // Only a date concerns the PSU.
  const toPsu = warnings.filter(({ code }) => code === 'EXECUTION_DATE_INVALID').map(({ text }) => text);
  return {
    toTpp: [...warnings.map((warning) => ({ category: 'WARNING' as const, ...warning })), ...failures.toTpp],
    toPsu: [...toPsu, ...failures.toPsu],
  };
}

const noMessages: PaymentMessages = { toTpp: [], toPsu: [] };

function dateWarnings({ isPeriodic, moved, late, fixing }: DateNotes): Warning[] {
  const path = isPeriodic ? 'startDate' : 'requestedExecutionDate';
  const warning = (text: string): Warning => ({ code: 'EXECUTION_DATE_INVALID', path, text });
  return [
    ...(moved === null ? [] : [warning(movedText(isPeriodic, moved, late))]),
    ...(late === null ? [] : [warning(lateText(isPeriodic, late))]),
    ...(fixing === null ? [] : [{ ...warning(fixingText(fixing)), path: 'instructedAmount.currency' }]),
  ];
}

/**
 * Both days and the reason: `2027-03-25 is closed (Skjærtorsdag). The payment is executed on 2027-03-30, the following
 * banking day.` If a run of a later day carries it out, the payment is "due" (rules.md P3d).
 */
function movedText(isPeriodic: boolean, moved: MovedDate, late: LateExecution | null): string {
  const { wanted, executionDate, rule, missed } = moved;
  const what = isPeriodic ? `The payment of ${wanted}` : 'The payment';
  const does = late?.dueOn === executionDate ? 'is due' : 'is executed';
  const text = `${whyMoved(moved)} ${what} ${does} on ${executionDate}`;
  return missed === null ? `${text}, the ${rule} banking day.` : `${text}.`;
}

function whyMoved({ wanted, rule, closed: days, missed, hasPassed, isSigned }: MovedDate): string {
  const name = rule === 'following' ? days[0] : days.at(-1);
  const isClosed = `${wanted} is closed (${name === 'weekend' ? formatWeekday(wanted) : name})`;
  if (missed === null) return `${isClosed}.`;
  const day = name === undefined ? wanted : `${isClosed}, and the ${rule} banking day, ${missed},`;
  if (rule === 'preceding' || !hasPassed) {
    return isSigned ? `${day} had no run left when the payment was signed.` : `${day} has no run left.`;
  }
  return isSigned ? `${day} had passed when the payment was signed.` : `${day} has passed, and a signature is missing.`;
}

function lateText(isPeriodic: boolean, { dueOn, run, cutOff }: LateExecution): string {
  const what = isPeriodic ? 'The first payment' : 'The payment';
  const why = cutOff === null ? `No settlement run of ${dueOn} is left.` : `The cut-off of ${dueOn} was at ${cutOff}.`;
  return `${why} ${what} stays due on that day, and run ${runId(run)} carries it out, on ${run.date} at ${timeOfDay(run.at)}.`;
}

function fixingText({ at, hasPassed }: NonNullable<DateNotes['fixing']>): string {
  const when = `on ${osloDate(at)} at ${timeOfDay(at)}`;
  return hasPassed
    ? `The exchange rate was fixed ${when}.`
    : `The exchange rate is fixed ${when}. The amounts that are shown until then are estimates at the last fixing.`;
}

/** Whether all that is tried again had the funds: the bank of the creditor did not answer (rules.md D1c). */
export function hadFunds({ failed }: PaymentNotes): boolean {
  const failures = failed !== null && 'failures' in failed ? failed.failures : [];
  const waiting = failures.filter(({ status }) => status === 'ACCP');
  return waiting.length > 0 && waiting.every(({ attempt }) => attempt !== null && !lacksFunds(attempt));
}

/** Maximum number of failed occurrences that are listed for any other standing order: the latest ones. */
const maxOccurrences = 20;

/**
 * Says why parts of a payment failed (rules.md S7b, S9c, R9c). The TPP gets a message for each part, with attempt, run
 * and reason; for a standing order that has not ended in ACSC only for the latest 20. The PSU gets a sentence for each
 * reason.
 */
function failureMessages(payment: NonNullable<PaymentNotes['failed']>): PaymentMessages {
  if ('rejectedUnsigned' in payment) return unsignedRejection(payment.rejectedUnsigned);
  const { failures } = payment;
  const isCut = payment.service === 'periodic-payments' && !payment.endedSettled;
  const listed = isCut ? failures.slice(-maxOccurrences) : failures;
  const earlier = failures.length - listed.length;
  const toTpp = listed.map((failure, index): PaymentMessage => {
    const text = tppText(payment, failure);
    return {
      category: failure.status === 'ACCP' ? 'WARNING' : 'ERROR',
      code: 'PAYMENT_FAILED',
      ...(payment.service === 'bulk-payments' && { path: `payments[${failure.sequence}]` }),
      text: index === 0 && earlier > 0 ? `${text} Before it ${earlier} more failed.` : text,
    };
  });
  const alike = Map.groupBy(failures, (failure) => `${failure.status} ${reasonOf(payment, failure)}`);
  return { toTpp, toPsu: [...alike.values()].map((group) => psuText(payment, group)) };
}

/** Says why a payment was rejected before it was signed (rules.md P14b). */
function unsignedRejection(reason: string): PaymentMessages {
  const why = withoutTrailing(reason, '.');
  const text = `The payment was rejected before it was signed: ${why}.`;
  const message = { category: 'ERROR', code: 'PAYMENT_FAILED', text } as const;
  return { toTpp: [message], toPsu: [`The payment was rejected: ${inPlainWords(why)}.`] };
}

function tppText(payment: FailedParts, failure: FailedPart): string {
  const what = {
    payments: 'The payment',
    'bulk-payments': 'The item',
    'periodic-payments': `The occurrence of ${failure.nominalDate}`,
  }[payment.service];
  const reason = reasonOf(payment, failure);
  if (failure.status === 'CANC') return `${what} was cancelled: ${reason}.`;
  if (failure.status === 'RJCT') return `${what} was rejected ${whenOf(failure)}: ${reason}.`;
  return `${what} was not carried out ${whenOf(failure)}: ${reason}. It is tried again in run ${payment.nextRun}.`;
}

function whenOf({ attempt }: FailedPart): string {
  if (attempt === null) return 'when the payment was signed';
  if (attempt.run === null) return 'at once, when it was authorised';
  return `at attempt ${attempt.number} of ${lastAttempt} in run ${runId(attempt.run)}`;
}

function lacksFunds({ available, needed }: Pick<NonNullable<FailedPart['attempt']>, 'available' | 'needed'>): boolean {
  return available < needed;
}

/** A future rejection does not explain an earlier failure. */
function reasonOf({ cancelledFor }: FailedParts, { status, attempt, rejection }: FailedPart): string {
  if (status === 'CANC') return cancelledFor;
  const seen = attempt ?? { available: 0n, needed: 0n };
  const isToldBy = status === 'RJCT' || (attempt !== null && !lacksFunds(seen));
  return withoutTrailing(failureOf({ ...seen, reason: isToldBy ? rejection : null }), '.');
}

function psuText(payment: FailedParts, group: readonly FailedPart[]): string {
  const [last] = group.slice(-1);
  if (last === undefined) return '';
  const isOne = group.length === 1 && payment.service !== 'bulk-payments';
  const were = group.length === 1 ? 'was' : 'were';
  const reason = inPlainWords(reasonOf(payment, last));
  const who = subjectOf(payment, group.length, last);
  if (last.status === 'CANC') return `${who} ${were} cancelled: ${reason}.`;
  if (last.status === 'RJCT') return `${who} ${were} rejected: ${reason}.`;
  return `${who} ${were} not carried out yet: ${reason}. The bank tries ${isOne ? 'it' : 'them'} again.`;
}

function subjectOf({ service, total }: FailedParts, count: number, last: FailedPart): string {
  if (service === 'bulk-payments') return `${count} of ${total} payments`;
  if (service === 'payments') return 'The payment';
  return count === 1 ? `The payment of ${last.nominalDate}` : `${count} payments, the last one of ${last.nominalDate},`;
}

const plainWords: Readonly<Record<string, string>> = {
  'funds lacking': 'there was not enough money on the account',
  'the creditor account holds no more': 'the receiving account cannot take the amount',
  'debtor account deleted': 'the account that pays was deleted',
  'agreement deleted': 'the agreement under which it was made was deleted',
  'customer deleted': 'the customer who made it, signed it or holds the account was deleted',
};

function inPlainWords(reason: string): string {
  return plainWords[reason] ?? reason;
}
