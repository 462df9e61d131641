import { offeredScaAnswer } from '../answer-parts.ts';
import type { Answer, Call, Endpoint } from '../../pipeline/endpoint.ts';
import { offerOnce } from '../parties/offer-once.ts';

/** Headers of RFC 9745 and RFC 8288: deprecated since 5 February 2024, with its successor (interface: Versioning, 6). */
const deprecation = {
  deprecation: '@1707091200',
  link: '</v1/bank-offered-consents>; rel="successor-version"',
};

/** interface: /v1/bank-offered-consents; real-api-facts.md 8. */
export const offerConsent: Endpoint = {
  method: 'POST',
  path: '/bank-offered-consents',
  summary: 'Ask for a consent, which the PSU gives with the bank',
  answers: { 201: offeredScaAnswer },
  role: 'PSP_AI',
  requires: ['tpp-redirect-uri'],
  body: null,
  handle,
};

/** interface: POST /v1/consents. Ignores the body. */
export const offerConsentDeprecated: Endpoint = {
  ...offerConsent,
  path: '/consents',
  summary: 'Ask for a consent, by the path that bank-offered-consents has replaced',
  deprecated: true,
  handle: async (call) => ({ ...(await handle(call)), headers: deprecation }),
};

async function handle(call: Call): Promise<Answer> {
  return { status: 201, body: await offerOnce(call, 'consent') };
}
