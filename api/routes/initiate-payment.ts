import { assert } from '../../engine/core/assert.ts';
import type {
  BulkPaymentInitiation,
  Initiation,
  PeriodicPaymentInitiation,
  SinglePaymentInitiation,
} from '../../engine/core/payment-initiation.ts';
import { products } from '../../engine/core/product.ts';
import { initiateOnce } from '../../engine/operations/initiate-once.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';
import { initiationResponse } from '../representations/payment.ts';
import { digestOf } from '../signing/digest-check.ts';
import { offeredProducts } from './products.ts';
import { psuOf } from './psu-of.ts';
import type { QueryReader } from './query-reader.ts';

const common = {
  method: 'POST',
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri', 'psu-ip-address', 'psu'],
  query: ['allowLogicalDuplicate'],
} as const;

/** interface: POST /v1/payments/{product}. */
export const initiateSinglePayment: Endpoint = {
  ...common,
  path: '/payments/:product',
  products: offeredProducts.payments,
  body: {
    [products.domestic]: 'credit-transfer-initiation',
    [products.straks]: 'straks-initiation',
    [products.sepa]: 'sepa-initiation',
    [products.crossBorder]: 'cross-border-initiation',
  },
  handle: (call) => initiate(call, { service: 'payments', body: call.body as SinglePaymentInitiation }),
};

/** interface: POST /v1/periodic-payments/norwegian-domestic-credit-transfers. */
export const initiatePeriodicPayment: Endpoint = {
  ...common,
  path: '/periodic-payments/:product',
  products: offeredProducts['periodic-payments'],
  requires: [...common.requires, { strictly: 'x-accept-fix' }, { strictly: 'tpp-session-id' }],
  body: 'periodic-payment-initiation',
  handle: (call) => initiate(call, { service: 'periodic-payments', body: call.body as PeriodicPaymentInitiation }),
};

/** real-api-facts.md 6: POST /v1/bulk-payments/norwegian-domestic-credit-transfers. */
export const initiateBulkPayment: Endpoint = {
  ...common,
  path: '/bulk-payments/:product',
  products: offeredProducts['bulk-payments'],
  body: 'bulk-payment-initiation',
  handle: (call) => initiate(call, { service: 'bulk-payments', body: call.body as BulkPaymentInitiation }),
};

/** Initiates once for each X-Request-ID: the same call again gets the first answer (rules.md P9). */
async function initiate(call: Call, initiation: Initiation): Promise<Answer> {
  const { requestId, redirectUri, sessionId, psuContext } = call.headers;
  assert(requestId !== null && redirectUri !== null, 'X-Request-ID and TPP-Redirect-URI are required');
  const command = {
    tpp: call.tpp,
    psu: psuOf(call.headers),
    psuContext,
    returnTo: { redirectUri, sessionId },
    product: call.params['product'] ?? '',
    initiation,
    allowLogicalDuplicate: allowsLogicalDuplicate(call.query),
  };
  const identity = { requestId: requestId.toLowerCase(), digest: digestOf(call.bytes, 'sha-256') };
  const answer = await initiateOnce(call.bank, command, identity, (initiated) => {
    const { scaId } = initiated;
    return initiationResponse(initiated, scaId === null ? null : call.scaAddress(scaId));
  });
  return { status: 201, body: JSON.parse(answer) as unknown };
}

/** Overrides the refusal of a logical duplicate (rules.md P7). A periodic payment is none, and takes the parameter all the same. */
function allowsLogicalDuplicate(reader: QueryReader): boolean {
  const wanted = reader.word('allowLogicalDuplicate', ['true', 'false'], 'false');
  reader.finish();
  return wanted === 'true';
}
