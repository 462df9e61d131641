import * as Type from 'typebox';
import { inspectPayment, type InspectedPayment } from '../../../engine/inspection/inspect-payment.ts';
import { type ControlCall, controlEndpoint } from '../control-endpoint.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import { type TransactionStatus, transactionStatuses } from '../../../engine/settlement/rules/transaction-status.ts';
import { products } from '../../../engine/values/product.ts';
import { exampleOf } from '../../bodies/examples.ts';
import { choice, closed, customerNumber, date, meaning, type Static, text } from '../../bodies/schema.ts';
import { creditTransferBody } from '../../interface/payments/payment-bodies.ts';
import { answeredInstant, money, orNull, paymentIds, run, told, tpp } from '../answers.ts';

const statusNames = Object.keys(transactionStatuses) as readonly TransactionStatus[];

const item = Type.Optional(text('of a bulk payment: the path of its item', 'payments[1]'));

const change = closed(
  {
    status: choice('the status from then on', statusNames),
    at: answeredInstant('when, by the bank clock'),
    shownAt: Type.Optional(
      answeredInstant('under the quirk status-lag, from when the TPP reads it, unless another has followed by then'),
    ),
    wall: orNull(answeredInstant('when, by the wall clock; null: the clock alone made it')),
    cause: text('what made it', 'initiation'),
  },
  { title: 'StatusChange' },
);

export const paymentAttempt = closed(
  {
    item,
    run: orNull(text('the run; null: an instant payment settles without one', '2027-03-30/1')),
    at: answeredInstant('when, by the bank clock'),
    nominalDate: meaning('The nominal date of the execution.', date),
    available: meaning('Balance and credit line of the debtor account at that moment.', money),
    needed: meaning('The amount, and the fee of a foreign payment.', money),
    outcome: choice('what came of it; after retry the next run tries again', ['settle', 'retry', 'reject']),
    reason: told('why', '98.00 NOK short at the fifth attempt, run 15:30 on 9 June'),
  },
  { title: 'Attempt', description: 'One try of a settlement run.' },
);

export const paymentOccurrence = closed(
  {
    item,
    nominalDate: meaning(
      'Of a standing order: the date by its plan, before a closed day moved it. Of another payment: the execution date.',
      date,
    ),
    executionDate: meaning('The date of the runs that try it first.', date),
    moved: Type.Optional(
      told(
        'why the execution date is another than the nominal or the requested one',
        'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
      ),
    ),
    status: choice('how it stands; planned: a run has not registered it yet', [...statusNames, 'planned']),
    rejection: Type.Optional(text('why its next attempt will be rejected')),
  },
  {
    title: 'PaymentOccurrence',
    description: 'An execution of the payment, past or to come.',
    examples: [{ status: 'ACSP' }],
  },
);

export const paymentEntry = closed(
  {
    item,
    leg: choice("debtor: on the debtor account; other: on the creditor's, or on one of the bank", ['debtor', 'other']),
    account: text('the account number, or the name of an account without one', '86011117947'),
    accountName: text('the name of the account', 'Brukskonto'),
    amount: meaning('Below zero: a debit.', money),
    nominalDate: meaning('The nominal date of the execution.', date),
    bookingDate: orNull(date, 'null: it is pending'),
    valueDate: date,
    booked: Type.Boolean({ description: 'whether it is booked' }),
  },
  { title: 'PaymentEntry', description: 'An entry of the payment in the books.' },
);

/** The answer of `GET /sandbox/payments/{id}` and of what changes a payment. */
export const paymentAnswer = closed(
  {
    ...paymentIds,
    service: choice('the kind of payment', ['payments', 'periodic-payments', 'bulk-payments']),
    product: choice('the payment product', Object.values(products)),
    tpp,
    status: choice('the status as the bank has it', statusNames),
    forcedStatus: orNull(choice('the status that the TPP sees instead', statusNames)),
    laggingStatus: Type.Optional(
      closed(
        { status: choice('what the TPP reads', statusNames), until: answeredInstant('when it reads more') },
        { title: 'LaggingStatus', description: 'What the TPP sees instead until then, under the quirk status-lag.' },
      ),
    ),
    executionDate: orNull(date, 'of an unsigned payment as if it were signed now; null: a standing order'),
    why: orNull(
      told('what the status waits for, or what caused it', '98.00 NOK short at the fifth attempt, run 15:30 on 9 June'),
      'null: the status tells all',
    ),
    nextAttempt: orNull(run, 'the run that tries it next; null: it is unsigned or over'),
    creditorInThisBank: orNull(
      Type.Boolean({ description: "whether the creditor's account is an open one of this bank" }),
      'null for a bulk payment, which has several',
    ),
    creditorClosed: Type.Optional(
      Type.Boolean({ description: 'true: it was an account of this bank that is closed; left out: it was not' }),
    ),
    initiation: Type.Unknown({ description: 'the body as the TPP sent it', examples: [exampleOf(creditTransferBody)] }),
    history: Type.Array(change, { description: 'the oldest first' }),
    signatures: Type.Array(
      closed({
        psu: customerNumber,
        name: text('the name of the PSU', 'Test Testperson 3'),
        at: answeredInstant('when'),
      }),
      { description: 'in the order in which they were given' },
    ),
    attempts: Type.Array(paymentAttempt, { description: 'each try of a run, the oldest first' }),
    occurrences: Type.Array(paymentOccurrence, {
      description:
        'its executions, past and next: one of a single payment, one for each date of a standing order, one for each item of a bulk',
    }),
    entries: Type.Array(paymentEntry, { description: 'what it moved, on both accounts' }),
  },
  {
    title: 'InspectedPayment',
    description: 'Everything that the bank knows about a payment.',
    examples: [{ status: 'ACSP', creditorInThisBank: true, attempts: [], entries: [] }],
  },
);

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
