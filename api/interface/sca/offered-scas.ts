import { type OfferedPurpose, offerScaIn } from '../../../engine/sca/sca.ts';
import { answerOnce, type Call, type Endpoint, endpoint, type JsonText, link } from '../../pipeline/endpoint.ts';
import { psuOf, returnTo } from '../../pipeline/request-headers.ts';
import { offeredScaAnswer, type startedScaAnswer } from '../answer-parts.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import type { PresentWriting } from '../../../engine/bank/bank-context.ts';

/** The answer to a started authorisation leads to the SCA page (rules.md A1). */
export function startedSca(scaAddress: string): AnswerValue<typeof startedScaAnswer> {
  return { scaStatus: 'started', ...offeredSca(scaAddress) };
}

/** Only the link to the SCA page: for consents, and for refusals that ask for an SCA (rules.md E1). */
function offeredSca(scaAddress: string): AnswerValue<typeof offeredScaAnswer> {
  return { _links: { scaRedirect: link(scaAddress, 'GET') } };
}

/** interface: GET /v1/users. Gives the PSU-ID to a TPP that only initiates payments. */
export const identifyUser = endpoint('GET /users', {
  summary: 'Ask who the PSU is: an SCA whose redirect has the PSU-ID',
  answers: { 200: offeredScaAnswer },
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri'],
  withPsu: true,
  handle: async (call) => ({ status: 200, body: await offerOnce(call, 'identification') }),
});

/** interface: GET /v1/user. The same, under the corporate flow's path. */
export const identifyUserSingular: Endpoint = { ...identifyUser, path: '/user', summary: 'The same as GET /users' };

/**
 * Headers of RFC 9745 and RFC 8288: deprecated since 5 February 2024, with its successor (interface: Versioning, 6).
 */
const deprecation = {
  deprecation: '@1707091200',
  link: '</v1/bank-offered-consents>; rel="successor-version"',
};

/** interface: /v1/bank-offered-consents; real-api-facts.md 8. */
export const offerConsent = endpoint('POST /bank-offered-consents', {
  summary: 'Ask for a consent, which the PSU gives with the bank',
  answers: { 201: offeredScaAnswer },
  role: 'PSP_AI',
  requires: ['tpp-redirect-uri'],
  withPsu: true,
  handle: async (call) => ({ status: 201, body: await offerOnce(call, 'consent') }),
});

/** interface: POST /v1/consents. Ignores the body. */
export const offerConsentDeprecated: Endpoint = {
  ...offerConsent,
  path: '/consents',
  summary: 'Ask for a consent, by the path that bank-offered-consents has replaced',
  deprecated: true,
  handle: async (call) => ({ ...(await offerConsent.handle(call)), headers: deprecation }),
};

/** Opens an SCA without a payment; the body of the answer has its link. */
function offerOnce(call: Call, purpose: OfferedPurpose): Promise<JsonText> {
  const { tpp, headers } = call;
  const command = { tpp, psu: psuOf(headers), context: headers.psuContext, returnTo: returnTo(headers) };
  return startOnce(call, offeredSca, (writing) => offerScaIn(writing, purpose, command));
}

/**
 * Starts an SCA once for each X-Request-ID (rules.md P9). `show`: makes the body of the answer of the address of its
 * page.
 */
export function startOnce(
  call: Call,
  show: (scaAddress: string) => object,
  start: (writing: PresentWriting) => Promise<string>,
): Promise<JsonText> {
  return answerOnce(call, async (writing) => {
    const scaId = await start(writing);
    return { about: { scaId }, body: show(call.scaAddress(scaId)) };
  });
}
