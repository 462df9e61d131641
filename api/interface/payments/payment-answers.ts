import * as Type from 'typebox';
import { exampleOf } from '../../bodies/example.ts';
import { type AnswerSchema, closed, type SchemaShape } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { amount, links, paymentId, paymentMessages, transactionStatus } from '../answer-parts.ts';
import {
  bulkPaymentBody,
  creditTransferBody,
  crossBorderBody,
  periodicPaymentBody,
  sepaBody,
  straksBody,
} from './payment-bodies.ts';

/* Answers about payments; payment-json.ts makes them. */

const ofPayment = { paymentId, transactionStatus, ...paymentMessages };
const paymentPath = `${story.paymentPath}/${story.paymentId}`;
const paymentLinks = links(paymentPath, ['self', 'status'], ['startAuthorisation']);

const fundsMember = {
  fundsAvailable: Type.Optional(
    Type.Boolean({ description: 'false with ACCP: the account lacked the money at the last attempt; else left out' }),
  ),
};

export const initiatedPayment = closed(
  {
    ...ofPayment,
    transactionFees: amount,
    transactionFeeIndicator: Type.Boolean({ description: 'whether the payment costs something' }),
    _links: links(paymentPath, ['self', 'status'], ['startAuthorisation', 'scaRedirect']),
  },
  {
    title: 'InitiatedPayment',
    description: 'A payment that the bank has taken.',
    examples: [{ transactionFees: { amount: '0.00', currency: 'NOK' }, transactionFeeIndicator: false }],
  },
);

export const paymentStatusAnswer = closed(
  {
    ...ofPayment,
    ...fundsMember,
    _links: paymentLinks,
  },
  {
    title: 'PaymentStatus',
    description: 'Where a payment stands.',
    // It is read when the payment is signed.
    examples: [{ transactionStatus: 'ACSP', _links: exampleOf(links(paymentPath, ['self', 'status'])) }],
  },
);

export const cancellationAnswer = closed(
  { transactionStatus, ...paymentMessages, _links: links(paymentPath, ['startAuthorisation']) },
  {
    title: 'Cancellation',
    description: 'A cancellation that the PSU has to sign.',
    examples: [
      {
        transactionStatus: 'ACSP',
        _links: { startAuthorisation: { href: `${paymentPath}/cancellation-authorisations`, verbs: ['POST'] } },
      },
    ],
  },
);

/** The payment as it was sent, with its id, status and links. */
function paymentOf<Body extends Type.TProperties>(title: string, body: Type.TObject<Body>) {
  const description = 'A payment as it was sent, with its id, status and links.';
  const { properties, examples = [] }: Type.TObject<Body> & Pick<SchemaShape, 'examples'> = body;
  return closed(
    { ...properties, ...ofPayment, ...fundsMember, _links: paymentLinks },
    { title, description, examples },
  );
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
