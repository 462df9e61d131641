import type { FaultCode } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { withoutTrailing } from '../../values/text.ts';
import { failureOf, lastAttempt } from '../../settlement/rules/settlement.ts';
import { runId } from '../../time/rules/settlement-run.ts';

/** What a TPP is told about a payment that it reads (interface: TPP message). */
export interface PaymentMessage {
  readonly category: 'ERROR' | 'WARNING';
  readonly code: FaultCode;
  /** Of a bulk payment's item: `payments[3]`. */
  readonly path?: string;
  /** At most 512 characters. */
  readonly text: string;
}

/** Messages of an answer that shows a payment: to the TPP, and sentences for the PSU. */
export interface PaymentMessages {
  readonly toTpp: readonly PaymentMessage[];
  readonly toPsu: readonly string[];
}

/** No message. */
export const noMessages: PaymentMessages = { toTpp: [], toPsu: [] };

/** A part of a payment that failed: the payment itself, an item of a bulk payment, an occurrence of a standing order. */
export interface Failure {
  readonly sequence: number;
  readonly nominalDate: LocalDate;
  /** RJCT: final. ACCP: tried again. */
  readonly status: 'RJCT' | 'ACCP';
  /** The last attempt; null when it was rejected without one. Amounts are minor units. */
  readonly attempt: {
    readonly number: number;
    readonly run: { readonly date: LocalDate; readonly number: number } | null;
    readonly available: bigint;
    readonly needed: bigint;
  } | null;
  /** Why it is rejected whatever the funds: the reason of its last attempt, or that of a provoked rejection, also of one to come. */
  readonly rejection: string | null;
}

/** What the failures are parts of. */
export interface FailedPayment {
  readonly service: 'payments' | 'periodic-payments' | 'bulk-payments';
  /** How many items or executions there are. */
  readonly total: number;
  /** The run in which those in ACCP are tried again: `2027-03-30/1`. */
  readonly nextRun: string;
}

/** How many failed occurrences of a standing order are told one by one: the latest. */
const mostOccurrences = 20;

/**
 * Tells why parts of a payment failed (rules.md S7b): to the TPP each of them, with its attempt, run and reason; of a standing
 * order the latest 20. To the PSU a sentence for each reason.
 */
export function failureMessages(payment: FailedPayment, failures: readonly Failure[]): PaymentMessages {
  const told = payment.service === 'periodic-payments' ? failures.slice(-mostOccurrences) : failures;
  const earlier = failures.length - told.length;
  const toTpp = told.map((failure, index): PaymentMessage => {
    const text = tppText(payment, failure);
    return {
      category: failure.status === 'RJCT' ? 'ERROR' : 'WARNING',
      code: 'PAYMENT_FAILED',
      ...(payment.service === 'bulk-payments' && { path: `payments[${failure.sequence}]` }),
      text: index === 0 && earlier > 0 ? `${text} Before it ${earlier} more failed.` : text,
    };
  });
  const alike = Map.groupBy(failures, (failure) => `${failure.status} ${reasonOf(failure)}`);
  return { toTpp, toPsu: [...alike.values()].map((group) => psuText(payment, group)) };
}

/** Tells why a payment was rejected before it was signed (rules.md P14b). */
export function unsignedRejection(reason: string): PaymentMessages {
  const why = withoutTrailing(reason, '.');
  const text = `The payment was rejected before it was signed: ${why}.`;
  const message = { category: 'ERROR', code: 'PAYMENT_FAILED', text } as const;
  return { toTpp: [message], toPsu: [`The payment was rejected: ${inPlainWords(why)}.`] };
}

function tppText({ service, nextRun }: FailedPayment, failure: Failure): string {
  const what = {
    payments: 'The payment',
    'bulk-payments': 'The item',
    'periodic-payments': `The occurrence of ${failure.nominalDate}`,
  }[service];
  const reason = reasonOf(failure);
  if (failure.status === 'RJCT') return `${what} was rejected ${whenOf(failure)}: ${reason}.`;
  return `${what} was not carried out ${whenOf(failure)}: ${reason}. It is tried again in run ${nextRun}.`;
}

function whenOf({ attempt }: Failure): string {
  if (attempt === null) return 'when the payment was signed';
  if (attempt.run === null) return 'at once, when it was authorised';
  return `at attempt ${attempt.number} of ${lastAttempt} in run ${runId(attempt.run)}`;
}

/** A rejection that is still to come is not why an earlier attempt failed. */
function reasonOf({ status, attempt, rejection }: Failure): string {
  const seen = attempt ?? { available: 0n, needed: 0n };
  return withoutTrailing(failureOf({ ...seen, reason: status === 'RJCT' ? rejection : null }), '.');
}

function psuText(payment: FailedPayment, group: readonly Failure[]): string {
  const [last] = group.slice(-1);
  if (last === undefined) return '';
  const isOne = group.length === 1 && payment.service !== 'bulk-payments';
  const were = group.length === 1 ? 'was' : 'were';
  const reason = inPlainWords(reasonOf(last));
  const who = subjectOf(payment, group.length, last);
  if (last.status === 'RJCT') return `${who} ${were} rejected: ${reason}.`;
  return `${who} ${were} not carried out yet: ${reason}. The bank tries ${isOne ? 'it' : 'them'} again.`;
}

function subjectOf({ service, total }: FailedPayment, count: number, last: Failure): string {
  if (service === 'bulk-payments') return `${count} of ${total} payments`;
  if (service === 'payments') return 'The payment';
  return count === 1 ? `The payment of ${last.nominalDate}` : `${count} payments, the last one of ${last.nominalDate},`;
}

const plainWords: Readonly<Record<string, string>> = {
  'funds lacking': 'there was not enough money on the account',
  'the creditor account holds no more': 'the receiving account cannot take the amount',
};

function inPlainWords(reason: string): string {
  return plainWords[reason] ?? reason;
}
