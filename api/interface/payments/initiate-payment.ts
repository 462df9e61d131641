import { assert } from '../../../engine/values/assert.ts';
import type { Initiation } from '../../../engine/payments/rules/payment-initiation.ts';
import { products } from '../../../engine/values/product.ts';
import { initiateOnce } from '../../../engine/payments/initiate-once.ts';
import { bulkPaymentBody } from './bulk-payment-body.ts';
import { creditTransferBody } from './credit-transfer-body.ts';
import { crossBorderBody } from './cross-border-body.ts';
import { periodicPaymentBody } from './periodic-payment-body.ts';
import { sepaBody } from './sepa-body.ts';
import { straksBody } from './straks-body.ts';
import { endpoint, type Answer, type Call } from '../../pipeline/endpoint.ts';
import { initiationResponse } from './payment-json.ts';
import { digestOf } from '../../signing/signature/digest.ts';
import { offeredProducts } from './products.ts';
import { psuOf } from '../../pipeline/request-headers.ts';
import type { QueryReader } from '../../pipeline/query-reader.ts';

const common = {
  method: 'POST',
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri', 'psu-ip-address', 'psu'],
  query: ['allowLogicalDuplicate'],
} as const;

/** interface: POST /v1/payments/{product}. */
export const initiateSinglePayment = endpoint({
  ...common,
  path: '/payments/:product',
  products: offeredProducts.payments,
  body: {
    byProduct: {
      [products.domestic]: creditTransferBody,
      [products.straks]: straksBody,
      [products.sepa]: sepaBody,
      [products.crossBorder]: crossBorderBody,
    },
  },
  handle: (call) => initiate(call, { service: 'payments', body: call.body }),
});

/** interface: POST /v1/periodic-payments/norwegian-domestic-credit-transfers. */
export const initiatePeriodicPayment = endpoint({
  ...common,
  path: '/periodic-payments/:product',
  products: offeredProducts['periodic-payments'],
  requires: [...common.requires, { strictly: 'x-accept-fix' }, { strictly: 'tpp-session-id' }],
  body: periodicPaymentBody,
  handle: (call) => initiate(call, { service: 'periodic-payments', body: call.body }),
});

/** real-api-facts.md 6: POST /v1/bulk-payments/norwegian-domestic-credit-transfers. */
export const initiateBulkPayment = endpoint({
  ...common,
  path: '/bulk-payments/:product',
  products: offeredProducts['bulk-payments'],
  body: bulkPaymentBody,
  handle: (call) => initiate(call, { service: 'bulk-payments', body: call.body }),
});

/** Initiates once per X-Request-ID; a repeated call gets the first answer (rules.md P9). */
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

/** `allowLogicalDuplicate` turns off the duplicate check (rules.md P7). Periodic payments take it without effect. */
function allowsLogicalDuplicate(reader: QueryReader): boolean {
  const wanted = reader.word('allowLogicalDuplicate', ['true', 'false'], 'false');
  reader.finish();
  return wanted === 'true';
}
