import type { FaultCode } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { withoutTrailing } from '../../values/text.ts';
import { failureOf, lastAttempt } from '../../settlement/rules/settlement.ts';
import { runId } from '../../time/rules/settlement-run.ts';

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
export interface PaymentMessages {
  readonly toTpp: readonly PaymentMessage[];
  readonly toPsu: readonly string[];
  /** What is tried again had the funds: the bank of the creditor did not answer (rules.md D1c). */
  readonly hadFunds?: boolean;
}

/** No message. */
export const noMessages: PaymentMessages = { toTpp: [], toPsu: [] };

/** A part of a payment that failed: the payment itself, an item of a bulk payment, an occurrence of a standing order. */
export interface Failure {
  readonly sequence: number;
  readonly nominalDate: LocalDate;
  /** RJCT and CANC: final. ACCP: tried again. */
  readonly status: 'RJCT' | 'ACCP' | 'CANC';
  /** The last attempt; null when it was rejected without one. Amounts are minor units. */
  readonly attempt: {
    readonly number: number;
    readonly run: { readonly date: LocalDate; readonly number: number } | null;
    readonly available: bigint;
    readonly needed: bigint;
  } | null;
  /** Why it is rejected whatever the funds: the reason of its last attempt, or of a provoked rejection, even a future one. */
  readonly rejection: string | null;
}

/** The payment whose parts failed. */
interface FailedPayment {
  readonly service: 'payments' | 'periodic-payments' | 'bulk-payments';
  /** How many items or executions there are. */
  readonly total: number;
  /** Whether it ended in ACSC: then every failed occurrence of a standing order is listed (rules.md R9c). */
  readonly endedSettled: boolean;
  /** The run that tries payments in ACCP again: `2027-03-30/1`. */
  readonly nextRun: string;
  /** Why payments in CANC were cancelled: the cause of the payment's end (rules.md S9c). */
  readonly cancelledFor: string;
}

/** Maximum number of failed occurrences that are listed for any other standing order: the latest ones. */
const maxOccurrences = 20;

/**
 * Says why parts of a payment failed (rules.md S7b, S9c, R9c). The TPP gets a message for each part, with attempt, run and reason;
 * for a standing order that has not ended in ACSC only for the latest 20. The PSU gets a sentence for each reason.
 */
export function failureMessages(payment: FailedPayment, failures: readonly Failure[]): PaymentMessages {
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
  const waiting = failures.filter(({ status }) => status === 'ACCP');
  const hadFunds = waiting.length > 0 && waiting.every(({ attempt }) => attempt !== null && !lacksFunds(attempt));
  return { toTpp, toPsu: [...alike.values()].map((group) => psuText(payment, group)), ...(hadFunds && { hadFunds }) };
}

/** Says why a payment was rejected before it was signed (rules.md P14b). */
export function unsignedRejection(reason: string): PaymentMessages {
  const why = withoutTrailing(reason, '.');
  const text = `The payment was rejected before it was signed: ${why}.`;
  const message = { category: 'ERROR', code: 'PAYMENT_FAILED', text } as const;
  return { toTpp: [message], toPsu: [`The payment was rejected: ${inPlainWords(why)}.`] };
}

function tppText(payment: FailedPayment, failure: Failure): string {
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

function whenOf({ attempt }: Failure): string {
  if (attempt === null) return 'when the payment was signed';
  if (attempt.run === null) return 'at once, when it was authorised';
  return `at attempt ${attempt.number} of ${lastAttempt} in run ${runId(attempt.run)}`;
}

function lacksFunds({ available, needed }: Pick<NonNullable<Failure['attempt']>, 'available' | 'needed'>): boolean {
  return available < needed;
}

/** A future rejection does not explain an earlier failure. */
function reasonOf({ cancelledFor }: FailedPayment, { status, attempt, rejection }: Failure): string {
  if (status === 'CANC') return cancelledFor;
  const seen = attempt ?? { available: 0n, needed: 0n };
  const isToldBy = status === 'RJCT' || (attempt !== null && !lacksFunds(seen));
  return withoutTrailing(failureOf({ ...seen, reason: isToldBy ? rejection : null }), '.');
}

function psuText(payment: FailedPayment, group: readonly Failure[]): string {
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

function subjectOf({ service, total }: FailedPayment, count: number, last: Failure): string {
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
