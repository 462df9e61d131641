import { assert } from '../../engine/core/assert.ts';
import type { PeriodicPaymentInitiation, SinglePaymentInitiation } from '../../engine/core/payment-initiation.ts';
import { initiatePayment, type Initiation } from '../../engine/operations/initiate-payment.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';
import { initiationResponse } from '../representations/payment.ts';
import { offeredProducts } from './products.ts';
import { psuOf, requirePsu } from './psu-of.ts';

const psuMustBePresent = ['tpp-redirect-uri', 'psu-ip-address'];

/** interface: POST /v1/payments/{product}. */
export const initiateSinglePayment: Endpoint = {
  method: 'POST',
  path: '/payments/:product',
  role: 'PSP_PI',
  products: offeredProducts.payments,
  requires: psuMustBePresent,
  body: 'credit-transfer-initiation',
  handle: (call) => initiate(call, { service: 'payments', body: call.body as SinglePaymentInitiation }),
};

/** interface: POST /v1/periodic-payments/norwegian-domestic-credit-transfers. */
export const initiatePeriodicPayment: Endpoint = {
  method: 'POST',
  path: '/periodic-payments/:product',
  role: 'PSP_PI',
  products: offeredProducts['periodic-payments'],
  requires: psuMustBePresent,
  requiresStrictly: ['x-accept-fix', 'tpp-session-id'],
  body: 'periodic-payment-initiation',
  handle: (call) => initiate(call, { service: 'periodic-payments', body: call.body as PeriodicPaymentInitiation }),
};

async function initiate(call: Call, initiation: Initiation): Promise<Answer> {
  const { redirectUri, sessionId, psuContext } = call.headers;
  assert(redirectUri !== null, 'TPP-Redirect-URI is required');
  requirePsu(call.headers);
  const { payment, warnings, scaId } = await initiatePayment(call.bank, {
    tpp: call.tpp,
    psu: psuOf(call.headers),
    psuContext,
    returnTo: { redirectUri, sessionId },
    product: call.params['product'] ?? '',
    initiation,
  });
  const scaAddress = scaId === null ? null : call.scaAddress(scaId);
  return { status: 201, body: initiationResponse(payment, warnings, scaAddress) };
}
