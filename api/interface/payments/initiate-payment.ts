import * as Type from 'typebox';
import { assert } from '../../../engine/values/assert.ts';
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
import { initiatedPayment, initiationResponse } from './payment-answers.ts';
import { psuOf } from '../../pipeline/request-headers.ts';
import type { QueryReader } from '../../pipeline/target.ts';

const common = {
  adds: true,
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri', 'psu-ip-address', 'psu'],
  query: {
    allowLogicalDuplicate: Type.Boolean({
      description: 'Whether to take a payment like one that there is already: same date, amount and accounts.',
      default: false,
    }),
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
export const initiateSinglePayment = endpoint('POST /payments/:product', {
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
    },
  },
  handle: (call) => initiate(call, { service: 'payments', body: call.body }),
});

/** interface: POST /v1/periodic-payments/norwegian-domestic-credit-transfers. */
export const initiatePeriodicPayment = endpoint('POST /periodic-payments/:product', {
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
export const initiateBulkPayment = endpoint('POST /bulk-payments/:product', {
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
  const { redirectUri, sessionId, psuContext } = call.headers;
  assert(redirectUri !== null, 'TPP-Redirect-URI is required');
  const command = {
    tpp: call.tpp,
    psu: psuOf(call.headers),
    psuContext,
    returnTo: { redirectUri, sessionId },
    // One of the endpoint's products (rules.md P1).
    product: call.params['product'] as Product,
    initiation,
    allowLogicalDuplicate: allowsLogicalDuplicate(call.query),
  };
  const body = await answerOnce(call, async (tx) => {
    const initiated = await initiateIn(call.bank, tx, command);
    const { payment, scaId } = initiated;
    const response = initiationResponse(initiated, scaId === null ? null : call.scaAddress(scaId));
    return { about: { paymentId: payment.id }, body: response };
  });
  return { status: 201, body };
}

/** `allowLogicalDuplicate` turns off the duplicate check (rules.md P7). Periodic payments take it without effect. */
function allowsLogicalDuplicate(reader: QueryReader): boolean {
  const wanted = reader.word('allowLogicalDuplicate', ['true', 'false'], 'false');
  reader.finish();
  return wanted === 'true';
}
