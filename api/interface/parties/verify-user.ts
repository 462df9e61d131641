import { createHash } from 'node:crypto';
import { assert } from '../../../engine/values/assert.ts';
import { readPsu } from '../../../engine/parties/identify-psu.ts';
import { userVerificationAnswer, userVerificationBody } from './user-verification-body.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

/**
 * real-api-facts.md 8: POST /v1/user/verification. Says whether a PSU-ID belongs to an identity number, sent as the base64
 * of its SHA-256 hash. The names of the members are ours (docs/decisions).
 */
export const verifyUser = endpoint({
  method: 'POST',
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
