import { assert } from '../../../engine/values/assert.ts';
import { offerConsent as offer } from '../../../engine/consents/offer-consent.ts';
import type { Answer, Call, Endpoint } from '../../pipeline/endpoint.ts';
import { offeredSca } from '../parties/sca-json.ts';
import { psuOf } from '../../pipeline/request-headers.ts';

/** Headers of RFC 9745 and RFC 8288: deprecated since 5 February 2024, with its successor (interface: Versioning, 6). */
const deprecation = {
  deprecation: '@1707091200',
  link: '</v1/bank-offered-consents>; rel="successor-version"',
};

/** interface: /v1/bank-offered-consents; real-api-facts.md 8. */
export const offerConsent: Endpoint = {
  method: 'POST',
  path: '/bank-offered-consents',
  role: 'PSP_AI',
  requires: ['tpp-redirect-uri'],
  body: null,
  handle,
};

/** interface: POST /v1/consents. Ignores the body. */
export const offerConsentDeprecated: Endpoint = {
  ...offerConsent,
  path: '/consents',
  handle: async (call) => ({ ...(await handle(call)), headers: deprecation }),
};

async function handle(call: Call): Promise<Answer> {
  const { redirectUri, sessionId, psuContext: context } = call.headers;
  assert(redirectUri !== null, 'TPP-Redirect-URI is required');
  const returnTo = { redirectUri, sessionId };
  const scaId = await offer(call.bank, { tpp: call.tpp, psu: psuOf(call.headers), context, returnTo });
  return { status: 201, body: offeredSca(call.scaAddress(scaId)) };
}
