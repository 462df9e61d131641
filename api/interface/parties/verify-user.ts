import { createHash } from 'node:crypto';
import * as Type from 'typebox';
import { assert } from '../../../engine/values/assert.ts';
import { readPsu } from '../../../engine/parties/identify-psu.ts';
import { closed, text } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

/** real-api-facts.md 8: POST /v1/user/verification. */
export const userVerificationBody = closed(
  {
    identifier: text('the base64 of the SHA-256 hash of the national identity number, 44 characters', {
      pattern: '^[A-Za-z0-9+/]{43}=$',
      examples: [story.psuHash],
    }),
  },
  {
    title: 'UserVerification',
    description: 'Whose PSU-ID it should be.',
    examples: [{ identifier: story.psuHash }],
  },
);

const userVerificationAnswer = closed(
  { verified: Type.Boolean({ description: 'whether the PSU-ID is that of this number' }) },
  { title: 'UserVerificationAnswer', description: 'Whether it is the same person.' },
);

/**
 * real-api-facts.md 8: POST /v1/user/verification. Says whether a PSU-ID belongs to an identity number, sent as the base64
 * of its SHA-256 hash. The names of the members are ours (docs/decisions).
 */
export const verifyUser = endpoint({
  method: 'POST',
  adds: true,
  path: '/user/verification',
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
