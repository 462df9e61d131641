import type { Quirk } from '../../../engine/bank/rules/quirk.ts';
import { deletePayment } from '../../../engine/payments/cancel-payments.ts';
import { readPayment, readPaymentStatus } from '../../../engine/payments/read-payment.ts';
import type { PaymentPath } from '../../../engine/payments/find-payment.ts';
import { isDomestic, offeredProducts } from '../../../engine/values/product.ts';
import { startAuthorisationIn, type StartAuthorisation } from '../../../engine/approval/start-authorisation.ts';
import { answerOnce, type Answer, type Call, endpoint } from '../../pipeline/endpoint.ts';
import { startedScaAnswer } from '../answer-parts.ts';
import {
  anyPayment,
  cancellationAnswer,
  paymentAnswers,
  paymentStatusAnswer,
  cancellationResponse,
  paymentDetails,
  paymentStatus,
} from './payment-answers.ts';
import { startedSca } from '../sca/offered-scas.ts';
import { psuOf } from '../../pipeline/request-headers.ts';

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
      answers: { 202: cancellationAnswer, 204: null },
      handle: (call) => remove(call, service),
    }),
    endpoint(`POST ${path}/authorisations`, {
      ...common,
      summary: `Start the SCA that signs a ${kind}`,
      answers: { 201: startedScaAnswer },
      handle: (call) => start(call, service, 'payment'),
    }),
    endpoint(`POST ${path}/cancellation-authorisations`, {
      ...common,
      summary: `Start the SCA that signs the cancellation of a ${kind}`,
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

export const paymentResource = [
  ...paymentEndpoints('payments'),
  ...paymentEndpoints('periodic-payments'),
  ...paymentEndpoints('bulk-payments'),
  ...shortForms,
];

async function readDetails(call: Call, service?: Service): Promise<Answer> {
  const read = await readPayment(call.bank, queryOf(call, service));
  noteHabits(call, read.habits);
  return { status: 200, body: paymentDetails(read) };
}

async function readStatus(call: Call, service?: Service): Promise<Answer> {
  const read = await readPaymentStatus(call.bank, queryOf(call, service));
  const { product, status } = read.payment;
  // Only this quirk tells it so early (rules.md S9).
  const early: readonly Quirk[] = isDomestic(product) && status === 'RCVD' ? ['status-before-approval'] : [];
  noteHabits(call, [...early, ...read.habits]);
  return { status: 200, body: paymentStatus(read) };
}

function noteHabits(call: Call, habits: readonly Quirk[]): void {
  if (habits.length > 0) call.addFacts({ habits });
}

async function remove(call: Call, service: Service): Promise<Answer> {
  const { bank, tpp, headers } = call;
  const deleted = await deletePayment(bank, { tpp, psu: psuOf(headers), path: pathOf(call, service) });
  return deleted.payment.status === 'CANC' ? { status: 204 } : { status: 202, body: cancellationResponse(deleted) };
}

async function start(call: Call, service: Service, purpose: StartAuthorisation['purpose']): Promise<Answer> {
  const { bank, tpp, headers } = call;
  const { redirectUri, sessionId, psuContext: context } = headers;
  const path = pathOf(call, service);
  const psu = psuOf(headers);
  const body = await answerOnce(call, async (tx) => {
    const scaId = await startAuthorisationIn(bank, tx, { purpose, tpp, psu, path, redirectUri, sessionId, context });
    return { about: { scaId }, body: startedSca(call.scaAddress(scaId)) };
  });
  return { status: 201, body };
}

function queryOf(call: Call, service: Service | undefined) {
  return { tppId: call.tpp.id, psu: psuOf(call.headers), path: pathOf(call, service) };
}

function pathOf({ params }: Call, service: Service | undefined): PaymentPath {
  const paymentId = params['paymentId'] ?? '';
  return service === undefined ? { paymentId } : { paymentId, service, product: params['product'] ?? '' };
}
