import * as Type from 'typebox';
import { exampleOf, story } from '../../bodies/examples.ts';
import { type AnswerSchema, flag, optional, type SchemaShape, titled } from '../../bodies/schema.ts';
import { amount, links, paymentId, paymentMessages, transactionStatus } from '../answer-parts.ts';
import {
  bulkPaymentBody,
  creditTransferBody,
  crossBorderBody,
  periodicPaymentBody,
  sepaBody,
  straksBody,
} from './payment-bodies.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import { clip } from '../../../engine/values/text.ts';
import { formattedAmount } from '../../../engine/values/money.ts';
import { deletion, type TransactionStatus } from '../../../engine/values/transaction-status.ts';
import type { Payment } from '../../../engine/payments/rows/payments.ts';
import type { PaymentNotes } from '../../../engine/payments/rules/notes.ts';
import { hadFunds, messagesOf } from '../../causes/payment-messages.ts';
import type { InitiatedPayment } from '../../../engine/payments/initiate-payment.ts';
import type { PaymentDetails, ShownPayment, DeletedPayment } from '../../../engine/payments/read-payment.ts';
import { link } from '../../pipeline/endpoint.ts';

/* Answers about payments: their schemas, and the functions that make them. */

const ofPayment = { paymentId, transactionStatus, ...paymentMessages };
const paymentPath = `${story.paymentPath}/${story.paymentId}`;
const linkMembers = links(paymentPath, ['self', 'status'], ['startAuthorisation']);

const fundsMember = {
  fundsAvailable: optional(flag('false with ACCP: the account lacked the money at the last attempt; else left out')),
};

/** The statuses that interface: Periodic payment initiation response lists. */
const initiationStatuses = 'ACCP ACSC ACSP ACTC ACWC ACWP RCVD PDNG RJCT CANC PART'.split(' ');

export const initiatedPayment = titled('InitiatedPayment', 'A payment that the bank has taken.', {
  examples: [{ transactionFees: { amount: '0.00', currency: 'NOK' }, transactionFeeIndicator: false }],
}).closed({
  ...ofPayment,
  transactionStatus: Type.Unsafe<TransactionStatus>({
    title: 'InitiationStatus',
    description: 'the status after the initiation',
    type: 'string',
    enum: initiationStatuses,
  }),
  transactionFees: amount,
  transactionFeeIndicator: flag('whether the payment costs something'),
  _links: links(paymentPath, ['self', 'status'], ['startAuthorisation', 'scaRedirect']),
});

export const paymentStatusAnswer = titled('PaymentStatus', 'Where a payment stands.', {
  // It is read when the payment is signed.
  examples: [{ transactionStatus: 'ACSP', _links: exampleOf(links(paymentPath, ['self', 'status'])) }],
}).closed({
  ...ofPayment,
  ...fundsMember,
  _links: linkMembers,
});

export const cancellationAnswer = titled('Cancellation', 'A cancellation that the PSU has to sign.', {
  examples: [
    {
      transactionStatus: 'ACSP',
      _links: { startAuthorisation: { href: `${paymentPath}/cancellation-authorisations`, verbs: ['POST'] } },
    },
  ],
}).closed({ transactionStatus, ...paymentMessages, _links: links(paymentPath, ['startAuthorisation']) });

/** The payment as it was sent, with its id, status and links. */
function paymentOf<Body extends Type.TProperties>(title: string, body: Type.TObject<Body>) {
  const description = 'A payment as it was sent, with its id, status and links.';
  const { properties, examples = [] }: Type.TObject<Body> & Pick<SchemaShape, 'examples'> = body;
  return titled(title, description, { examples }).closed({
    ...properties,
    ...ofPayment,
    ...fundsMember,
    _links: linkMembers,
  });
}

const single = [
  paymentOf('CreditTransfer', creditTransferBody),
  paymentOf('InstantCreditTransfer', straksBody),
  paymentOf('SepaCreditTransfer', sepaBody),
  paymentOf('CrossBorderCreditTransfer', crossBorderBody),
] as const;
const periodic = paymentOf('PeriodicPayment', periodicPaymentBody);
const bulk = paymentOf('BulkPayment', bulkPaymentBody);

/** The answers of GET for one payment, by service. */
export const paymentAnswers = {
  payments: Type.Union([...single]),
  'periodic-payments': periodic,
  'bulk-payments': bulk,
} as const satisfies Readonly<Record<string, AnswerSchema>>;

/** The answer of GET for a payment of any service. */
export const anyPayment = Type.Union([...single, periodic, bulk]);

/** interface: Periodic payment initiation response. Single and bulk payments get the same (real-api-facts.md 4.1). */
export function initiationResponse(
  initiated: InitiatedPayment,
  scaAddress: string | null,
): AnswerValue<typeof initiatedPayment> {
  const { payment, fee } = initiated;
  return {
    paymentId: payment.resource_id,
    transactionStatus: visibleStatus(payment),
    transactionFees: formattedAmount(fee),
    // The recorded answer has true with a fee of 0.00; the interface says when fees apply (rules.md P11).
    transactionFeeIndicator: fee.minor > 0n,
    ...messageMembers(initiated.notes),
    _links: { ...paymentLinks(initiated), ...(scaAddress !== null && { scaRedirect: link(scaAddress, 'GET') }) },
  };
}

/** In UTF-16 units: a text never has more characters than units (interface: Limits). */
const maxTextUnits = 512;

/**
 * `tppMessages` and `psuMessage` of an answer that shows a payment (rules.md P3, P3b, S7b); neither when there is
 * nothing to tell.
 */
function messageMembers(notes: PaymentNotes) {
  const { toTpp, toPsu } = messagesOf(notes);
  return {
    ...(toTpp.length > 0 && {
      tppMessages: toTpp.map((message) => ({ ...message, text: clip(message.text, maxTextUnits) })),
    }),
    ...(toPsu.length > 0 && { psuMessage: clip(toPsu.join(' '), maxTextUnits) }),
  };
}

type ShownStatus = AnswerValue<typeof paymentStatusAnswer>;

/** What a TPP has sent, of each of these answers. */
type SentOf<Answers> = Answers extends unknown ? Omit<Answers, keyof ShownStatus> : never;

/** The initiation as the TPP sent it, with id, status and links (real-api-facts.md 4.2). */
export function paymentDetails(details: PaymentDetails): AnswerValue<typeof anyPayment> {
  return { ...(JSON.parse(details.initiation) as SentOf<AnswerValue<typeof anyPayment>>), ...paymentStatus(details) };
}

/** The status with its links, as recorded traffic has it (real-api-facts.md 4.3). */
export function paymentStatus(status: ShownPayment): ShownStatus {
  const { payment, notes } = status;
  return {
    paymentId: payment.resource_id,
    ...statusMembers(status),
    ...messageMembers(notes),
    _links: paymentLinks(status),
  };
}

/** The answer to DELETE when the PSU has to sign the cancellation (rules.md P12). */
export function cancellationResponse({ payment, notes }: DeletedPayment): AnswerValue<typeof cancellationAnswer> {
  return {
    transactionStatus: visibleStatus(payment),
    ...messageMembers(notes),
    _links: authorisationLink(payment, 'cancellation'),
  };
}

/**
 * `self` offers DELETE only while the payment can be deleted (rules.md P2); `startAuthorisation` as rules.md P12b says.
 */
function paymentLinks({ payment, next }: Pick<ShownPayment, 'payment' | 'next'>): ShownStatus['_links'] {
  const self = addressOf(payment);
  return {
    self: deletion(payment.status) === 'never' ? link(self, 'GET') : link(self, 'GET', 'DELETE'),
    status: link(`${self}/status`, 'GET'),
    ...(next !== null && authorisationLink(payment, next)),
  };
}

function authorisationLink(
  payment: Payment,
  next: 'payment' | 'cancellation',
): AnswerValue<typeof cancellationAnswer>['_links'] {
  const collection = next === 'payment' ? 'authorisations' : 'cancellation-authorisations';
  return { startAuthorisation: link(`${addressOf(payment)}/${collection}`, 'POST') };
}

function addressOf(payment: Payment): string {
  return `/v1/${payment.service}/${payment.product}/${payment.resource_id}`;
}

/** The status, and with ACCP that funds are lacking, unless the last attempt had them (rules.md S4b). */
function statusMembers({ payment, notes }: ShownPayment) {
  const transactionStatus = visibleStatus(payment);
  return { transactionStatus, ...(transactionStatus === 'ACCP' && !hadFunds(notes) && { fundsAvailable: false }) };
}

/** The status that a TPP reads: the one that the control plane forced, else the payment's own (rules.md S9b). */
export function visibleStatus(payment: Pick<Payment, 'status' | 'forced_status'>): TransactionStatus {
  return payment.forced_status ?? payment.status;
}
