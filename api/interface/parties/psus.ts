import { createHash } from 'node:crypto';
import { assert } from '../../../engine/values/assert.ts';
import { readPsu } from '../../../engine/parties/identify-psu.ts';
import { flag, listOf, meaning, text, titled } from '../../bodies/schema.ts';
import { customerNumber, name } from '../../bodies/values.ts';
import { story } from '../../bodies/examples.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { listAgreements as list } from '../../../engine/consents/read-account.ts';
import { idLike } from '../answer-parts.ts';
import { accountRequest } from '../accounts/account-request.ts';

/** real-api-facts.md 8: POST /v1/user/verification. */
export const userVerificationBody = titled('UserVerification', 'Whose PSU-ID it should be.', {
  examples: [{ identifier: story.psuHash }],
}).closed({
  identifier: text('the base64 of the SHA-256 hash of the national identity number, 44 characters', {
    pattern: '^[A-Za-z0-9+/]{43}=$',
    examples: [story.psuHash],
  }),
});

const userVerificationAnswer = titled('UserVerificationAnswer', 'Whether it is the same person.').closed({
  verified: flag('whether the PSU-ID is that of this number'),
});

/**
 * real-api-facts.md 8: POST /v1/user/verification. Says whether a PSU-ID belongs to an identity number, sent as the
 * base64 of its SHA-256 hash. The names of the members are ours (docs/decisions).
 */
export const verifyUser = endpoint('POST /user/verification', {
  summary: 'Check whose PSU-ID it is',
  answers: { 200: userVerificationAnswer },
  role: null,
  requires: ['psu-id'],
  body: userVerificationBody,
  handle: async ({ bank, tpp, headers, body: { identifier } }) => {
    const psu = await readPsu(bank, tpp.id, { psuId: headers.psuId ?? undefined });
    assert(psu !== null, 'PSU-ID is required');
    const own = createHash('sha256').update(psu.customer_number).digest('base64');
    return { status: 200, body: { verified: own === identifier } };
  },
});

const agreementListAnswer = titled('AgreementList', 'Agreements of the PSU.').closed({
  agreements: listOf(
    titled('Agreement', 'An agreement between the bank and a customer.', {
      examples: [{ name: 'Corporation 1 AS', owner: story.corporation, ownerName: 'Corporation 1 AS' }],
    }).closed({
      agreementId: idLike(story.agreementId, 'What PSU-Corporate-ID takes.'),
      name,
      owner: meaning('The number of the customer who owns the accounts.', customerNumber),
      ownerName: name,
    }),
    'Those that the PSU may act under.',
  ),
});

/**
 * interface: GET /v1/agreements, which does not show the members of its answer. TPPs of both roles need it, so no role
 * is required (rules.md G7).
 */
export const listAgreements = endpoint('GET /agreements', {
  summary: 'List the agreements that the PSU may act under',
  answers: { 200: agreementListAnswer },
  role: null,
  handle: async (call) => {
    const found = await list(call.bank, accountRequest(call));
    const agreements = found.map(({ resource_id: agreementId, name, owner_number: owner, owner_name: ownerName }) => {
      return { agreementId, name, owner, ownerName };
    });
    return { status: 200, body: { agreements } };
  },
});
