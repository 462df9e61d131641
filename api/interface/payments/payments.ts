import { type BodySchema, flag } from '../../bodies/schema.ts';
import type { Initiation } from '../../../engine/payments/rules/payment-initiation.ts';
import { type Product, products, offeredProducts } from '../../../engine/values/product.ts';
import { initiateIn } from '../../../engine/payments/initiate-payment.ts';
import { answerOnce, endpoint, type Answer, type Call } from '../../pipeline/endpoint.ts';
import {
  bulkPaymentBody,
  creditTransferBody,
  crossBorderBody,
  periodicPaymentBody,
  sepaBody,
  straksBody,
} from './payment-bodies.ts';
import {
  initiatedPayment,
  initiationResponse,
  anyPayment,
  cancellationAnswer,
  paymentAnswers,
  paymentStatusAnswer,
  cancellationResponse,
  paymentDetails,
  paymentStatus,
} from './payment-answers.ts';
import { psuOf, returnTo } from '../../pipeline/request-headers.ts';
import {
  readPayment,
  readPaymentStatus,
  type PaymentPath,
  deletePayment,
} from '../../../engine/payments/read-payment.ts';
import { startAuthorisationIn, type StartAuthorisation } from '../../../engine/approval/start-sca.ts';
import { startedScaAnswer } from '../answer-parts.ts';
import { startedSca, startOnce } from '../sca/offered-scas.ts';

const common = {
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri', 'psu-ip-address', 'psu'],
  query: {
    allowLogicalDuplicate: flag(
      'Whether to take a payment like one that there is already: same date, amount and accounts.',
      {
        default: false,
      },
    ),
  },
  answers: { 201: initiatedPayment },
} as const;

const reference = 'remittanceInformationStructuredArray';
const faultPaths = {
  EXECUTION_DATE_INVALID: 'requestedExecutionDate',
  KID_INVALID: `${reference}[0].reference`,
  KID_MISSING: reference,
  PAYMENT_FAILED: 'instructedAmount.currency',
  RESOURCE_UNKNOWN: 'debtorAccount',
  SERVICE_BLOCKED: 'debtorAccount',
};

/** interface: POST /v1/payments/{product}. */
const initiateSinglePayment = endpoint('POST /payments/:product', {
  ...common,
  summary: 'Initiate a single payment',
  products: offeredProducts.payments,
  faultPaths,
  body: {
    byProduct: {
      [products.domestic]: creditTransferBody,
      [products.straks]: straksBody,
      [products.sepa]: sepaBody,
      [products.crossBorder]: crossBorderBody,
    } satisfies Readonly<Record<Product, BodySchema>>,
  },
  handle: (call) => initiate(call, { service: 'payments', body: call.body }),
});

/** interface: POST /v1/periodic-payments/norwegian-domestic-credit-transfers. */
const initiatePeriodicPayment = endpoint('POST /periodic-payments/:product', {
  ...common,
  summary: 'Initiate a periodic payment',
  products: offeredProducts['periodic-payments'],
  // A standing order carries no structured reference, so that its creditor account is at fault (rules.md P6b).
  faultPaths: { ...faultPaths, EXECUTION_DATE_INVALID: 'startDate', KID_MISSING: 'creditorAccount' },
  requires: [...common.requires, { strictly: 'x-accept-fix' }, { strictly: 'tpp-session-id' }],
  body: periodicPaymentBody,
  handle: (call) => initiate(call, { service: 'periodic-payments', body: call.body }),
});

/** real-api-facts.md 6: POST /v1/bulk-payments/norwegian-domestic-credit-transfers. */
const initiateBulkPayment = endpoint('POST /bulk-payments/:product', {
  ...common,
  summary: 'Initiate a bulk payment',
  products: offeredProducts['bulk-payments'],
  faultPaths: {
    ...faultPaths,
    CONFLICT: 'payments[0]',
    KID_INVALID: `payments[0].${faultPaths.KID_INVALID}`,
    KID_MISSING: `payments[0].${faultPaths.KID_MISSING}`,
    PAYMENT_FAILED: `payments[0].${faultPaths.PAYMENT_FAILED}`,
  },
  body: bulkPaymentBody,
  handle: (call) => initiate(call, { service: 'bulk-payments', body: call.body }),
});

/** Initiates once per X-Request-ID; a repeated call gets the first answer (rules.md P9). */
async function initiate(call: Call, initiation: Initiation): Promise<Answer> {
  const { tpp, headers } = call;
  const command = {
    tpp,
    psu: psuOf(headers),
    psuContext: headers.psuContext,
    returnTo: returnTo(headers),
    // The route admits the endpoint's products only (rules.md P1).
    product: call.params['product'] as Product,
    initiation,
    // It turns off the duplicate check (rules.md P7), which periodic payments do not have.
    allowLogicalDuplicate: call.query.onlyFlag('allowLogicalDuplicate'),
  };
  const body = await answerOnce(call, async (writing) => {
    const initiated = await initiateIn(writing, command);
    const { payment, scaId } = initiated;
    const response = initiationResponse(initiated, scaId === null ? null : call.scaAddress(scaId));
    return { about: { paymentId: payment.id }, body: response };
  });
  return { status: 201, body };
}

type Service = keyof typeof offeredProducts;

const kinds: Readonly<Record<Service, string>> = {
  payments: 'single payment',
  'periodic-payments': 'periodic payment',
  'bulk-payments': 'bulk payment',
};

/** Endpoints on one payment, the same for every service (rules.md P2). */
function paymentEndpoints(service: Service) {
  const path = `/${service}/:product/:paymentId` as const;
  const kind = kinds[service];
  const common = {
    role: 'PSP_PI',
    products: offeredProducts[service],
    names: 'path',
  } as const;
  return [
    endpoint(`GET ${path}`, {
      ...common,
      summary: `Read a ${kind}`,
      answers: { 200: paymentAnswers[service] },
      handle: (call) => readDetails(call, service),
    }),
    endpoint(`GET ${path}/status`, {
      ...common,
      summary: `Read the status of a ${kind}`,
      answers: { 200: paymentStatusAnswer },
      handle: (call) => readStatus(call, service),
    }),
    endpoint(`DELETE ${path}`, {
      ...common,
      summary: `Delete a ${kind}, or ask the PSU to sign its cancellation`,
      withPsu: true,
      answers: { 202: cancellationAnswer, 204: null },
      handle: (call) => remove(call, service),
    }),
    endpoint(`POST ${path}/authorisations`, {
      ...common,
      summary: `Start the SCA that signs a ${kind}`,
      withPsu: true,
      answers: { 201: startedScaAnswer },
      handle: (call) => start(call, service, 'payment'),
    }),
    endpoint(`POST ${path}/cancellation-authorisations`, {
      ...common,
      summary: `Start the SCA that signs the cancellation of a ${kind}`,
      withPsu: true,
      answers: { 201: startedScaAnswer },
      handle: (call) => start(call, service, 'cancellation'),
    }),
  ];
}

/** The interface's short paths, without service and product (rules.md P2). */
const short = {
  role: 'PSP_PI',
  names: 'path',
  elsewhere: 'Payments are made and changed at /v1/payments/{product}, with an s; /v1/payment/{id} reads one.',
} as const;
const shortForms = [
  endpoint('GET /payment/:paymentId', {
    ...short,
    summary: 'Read a payment of any service',
    answers: { 200: anyPayment },
    handle: (call) => readDetails(call),
  }),
  endpoint('GET /payment/:paymentId/status', {
    ...short,
    summary: 'Read the status of a payment of any service',
    answers: { 200: paymentStatusAnswer },
    handle: (call) => readStatus(call),
  }),
];

/** Every endpoint of payments, in the order of the interface document. */
export const payments = [
  initiatePeriodicPayment,
  initiateSinglePayment,
  initiateBulkPayment,
  ...paymentEndpoints('payments'),
  ...paymentEndpoints('periodic-payments'),
  ...paymentEndpoints('bulk-payments'),
  ...shortForms,
];

async function readDetails(call: Call, service?: Service): Promise<Answer> {
  const read = await readPayment(call.bank, queryOf(call, service));
  return { status: 200, body: paymentDetails(read) };
}

async function readStatus(call: Call, service?: Service): Promise<Answer> {
  const read = await readPaymentStatus(call.bank, queryOf(call, service));
  return { status: 200, body: paymentStatus(read) };
}

async function remove(call: Call, service: Service): Promise<Answer> {
  const { bank, tpp, headers } = call;
  const deleted = await deletePayment(bank, { tpp, psu: psuOf(headers), path: paymentPathOf(call, service) });
  return deleted.payment.status === 'CANC' ? { status: 204 } : { status: 202, body: cancellationResponse(deleted) };
}

async function start(call: Call, service: Service, purpose: StartAuthorisation['purpose']): Promise<Answer> {
  const { tpp, headers } = call;
  const { redirectUri, sessionId, psuContext: context } = headers;
  const path = paymentPathOf(call, service);
  const command = { purpose, tpp, psu: psuOf(headers), path, redirectUri, sessionId, context };
  return { status: 201, body: await startOnce(call, startedSca, (writing) => startAuthorisationIn(writing, command)) };
}

function queryOf(call: Call, service: Service | undefined) {
  return { tppId: call.tpp.id, psu: psuOf(call.headers), path: paymentPathOf(call, service) };
}

function paymentPathOf({ params }: Call, service: Service | undefined): PaymentPath {
  const paymentId = params['paymentId'] ?? '';
  return service === undefined ? { paymentId } : { paymentId, service, product: params['product'] ?? '' };
}
