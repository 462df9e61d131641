import * as Type from 'typebox';
import { inspectPayment, type InspectedPayment } from '../../../engine/inspection/inspect-payment.ts';
import { type ControlCall, controlEndpoint } from '../control-endpoint.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import { type TransactionStatus, transactionStatuses } from '../../../engine/values/transaction-status.ts';
import { products } from '../../../engine/values/product.ts';
import { returnReasonCodes } from '../../../engine/values/return-reasons.ts';
import { exampleOf } from '../../bodies/examples.ts';
import { choice, closed, flag, listOf, meaning, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { customerNumber, date } from '../../bodies/values.ts';
import { creditTransferBody } from '../../interface/payments/payment-bodies.ts';
import { answeredInstant, money, orNull, told } from '../answers/forms.ts';
import { paymentIds, tpp } from '../answers/names.ts';
import { run } from '../answers/clock-and-runs.ts';

const statusNames = Object.keys(transactionStatuses) as readonly TransactionStatus[];

export const statusOfPayment = choice('the status as the bank has it', statusNames);

export const serviceOfPayment = choice('the kind of payment', ['payments', 'periodic-payments', 'bulk-payments']);

export const productOfPayment = choice('the payment product', Object.values(products));

export const attemptOutcome = choice('what came of it; after retry the next run tries again', [
  'settle',
  'retry',
  'reject',
]);

const item = optional(text('of a bulk payment: the path of its item', 'payments[1]'));

const change = titled('StatusChange').closed({
  status: choice('the status from then on', statusNames),
  at: answeredInstant('when, by the bank clock'),
  shownAt: optional(
    answeredInstant('under the quirk status-lag, from when the TPP reads it, unless another has followed by then'),
  ),
  wall: orNull(answeredInstant('when, by the wall clock, or null if the bank clock alone made it')),
  cause: text('what made it', 'initiation'),
});

export const paymentAttempt = titled('Attempt', 'One try of a settlement run.').closed({
  item,
  run: orNull(text('the run, or null for an instant payment, which settles without one', '2027-03-30/1')),
  at: answeredInstant('when, by the bank clock'),
  nominalDate: meaning('The nominal date of the execution.', date),
  available: meaning('Balance and credit line of the debtor account at that moment.', money),
  needed: meaning('The amount, and the fee of a foreign payment.', money),
  outcome: attemptOutcome,
  reason: told('why', '98.00 NOK short at the fifth attempt, run of Wed 9 Jun, 15:30'),
});

export const paymentOccurrence = titled('PaymentOccurrence', 'An execution of the payment, past or to come.', {
  examples: [{ status: 'ACSP' }],
}).closed({
  item,
  nominalDate: meaning(
    'Of a standing order: the date by its plan, before a closed day moved it. Of another payment: the execution date.',
    date,
  ),
  executionDate: meaning('The date of the runs that try it first.', date),
  moved: optional(
    told(
      'why the execution date is another than the nominal or the requested one',
      'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
    ),
  ),
  status: choice('how it stands; planned: a run has not registered it yet', [...statusNames, 'planned']),
  rejection: optional(text('why its next attempt will be rejected')),
});

export const paymentEntry = titled('PaymentEntry', 'An entry of the payment in the books.').closed({
  item,
  leg: choice("debtor: on the debtor account; other: on the creditor's, or on one of the bank", ['debtor', 'other']),
  account: text('the account number, or the name of an account without one', '86011117947'),
  accountName: text('the name of the account', 'Brukskonto'),
  amount: meaning('Below zero: a debit.', money),
  nominalDate: meaning('The nominal date of the execution.', date),
  bookingDate: orNull(date, 'null while it is pending'),
  valueDate: date,
  booked: flag('whether it is booked'),
});

const paymentReturn = titled('PaymentReturn', 'Money that came back from the bank of the creditor, or will.').closed({
  item,
  nominalDate: meaning('The nominal date of what comes back.', date),
  reason: choice('why, by ISO 20022', returnReasonCodes),
  text: text('the reason in words', 'account closed'),
  due: meaning('The banking day whose first run books it.', date),
  at: orNull(answeredInstant('when it was booked'), 'null while it is to come'),
  amount: orNull(
    meaning('What was credited: abroad less the fee on the way.', money),
    'null while it is to come, and if the money stays with the clearing account',
  ),
  kept: optional(text('why the money stays with the clearing account', 'the account is closed')),
});

/** The answer of `GET /sandbox/payments/{id}` and of what changes a payment. */
export const paymentAnswer = titled('InspectedPayment', 'Everything that the bank knows about a payment.', {
  examples: [{ status: 'ACSP', creditorInThisBank: true, attempts: [], entries: [], returns: [] }],
}).closed({
  ...paymentIds,
  service: serviceOfPayment,
  product: productOfPayment,
  tpp,
  status: statusOfPayment,
  forcedStatus: orNull(choice('the status that the TPP sees instead', statusNames)),
  laggingStatus: optional(
    titled('LaggingStatus', 'What the TPP sees instead until then, under the quirk status-lag.').closed({
      status: choice('what the TPP reads', statusNames),
      until: answeredInstant('when it reads more'),
    }),
  ),
  executionDate: orNull(date, 'of an unsigned payment as if it were signed now; null for a standing order'),
  why: orNull(
    told(
      'what the payment waits for, or why it has its status',
      'asked for Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice',
    ),
    'null only if the payment is final and its status tells all',
  ),
  nextAttempt: orNull(run, 'the run that tries it next, or null if it is unsigned or over'),
  creditorInThisBank: orNull(
    flag("whether the creditor's account is an open one of this bank"),
    'null for a bulk payment, which has several',
  ),
  creditorClosed: optional(flag('true if it was an account of this bank that is closed, else left out')),
  initiation: Type.Unknown({ description: 'the body as the TPP sent it', examples: [exampleOf(creditTransferBody)] }),
  history: listOf(change, 'the oldest first'),
  signatures: listOf(
    closed({
      psu: customerNumber,
      name: text('the name of the PSU', 'Test Testperson 3'),
      at: answeredInstant('when'),
    }),
    'in the order in which they were given',
  ),
  attempts: listOf(paymentAttempt, 'each try of a run, the oldest first'),
  occurrences: listOf(
    paymentOccurrence,
    'its executions, past and next: one of a single payment, one for each date of a standing order, one for each item of a bulk',
  ),
  entries: listOf(paymentEntry, 'what it moved, on both accounts'),
  returns: listOf(paymentReturn, 'what came back of it, or will'),
});

export type PaymentAnswer = Static<typeof paymentAnswer>;

/** `GET /sandbox/payments/{id}`: all data of a payment of any TPP. */
export const getPayment = controlEndpoint('GET /payments/:paymentId', {
  summary: 'Everything about a payment of any TPP',
  answer: paymentAnswer,
  handle: readPayment,
});

/** The payment that the path names. */
export async function readPayment({
  bank,
  params,
}: Pick<ControlCall<unknown, 'paymentId'>, 'bank' | 'params'>): Promise<AnswerValue<typeof paymentAnswer>> {
  const { cause, attempts, ...payment } = await inspectPayment(bank, params.paymentId);
  return {
    ...payment,
    why: cause ?? endedBy(payment) ?? null,
    attempts: attempts.map(({ cause: reason, ...attempt }) => ({ ...attempt, reason })),
  };
}

/** The cause that ended a payment, if no attempt ended it. */
function endedBy({ status, history }: Pick<InspectedPayment, 'status' | 'history'>): string | undefined {
  return status === 'RJCT' || status === 'CANC' ? history.at(-1)?.cause : undefined;
}
