import { createHash } from 'node:crypto';
import { assert } from '../../engine/core/assert.ts';
import { readPsu } from '../../engine/operations/read-psu.ts';
import type { Bodies } from '../middleware/body/bodies.ts';
import type { Endpoint } from '../endpoint.ts';

/**
 * real-api-facts.md 8: POST /v1/user/verification, whether a PSU-ID belongs to the person behind an identity number. The
 * number is sent as the base64 of its SHA-256 hash; the names of the members are ours (docs/decisions).
 */
export const verifyUser: Endpoint = {
  method: 'POST',
  path: '/user/verification',
  role: null,
  requires: ['psu-id'],
  body: 'user-verification',
  handle: async ({ bank, tpp, headers, body }) => {
    const { identifier } = body as Bodies['user-verification'];
    const psu = await readPsu(bank, tpp.id, { psuId: headers.psuId ?? undefined });
    assert(psu !== null, 'PSU-ID is required');
    const own = createHash('sha256').update(psu.customer_number).digest('base64');
    return { status: 200, body: { verified: own === identifier } };
  },
};
