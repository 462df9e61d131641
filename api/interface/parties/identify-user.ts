import { assert } from '../../../engine/values/assert.ts';
import { identifyUser as identify } from '../../../engine/consents/identify-user.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { offeredSca } from './sca-json.ts';
import { psuOf } from '../../pipeline/request-headers.ts';

/** interface: GET /v1/users, with which a TPP that only initiates payments gets to know a PSU. */
export const identifyUser: Endpoint = {
  method: 'GET',
  path: '/users',
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri'],
  body: null,
  handle: async (call) => {
    const { redirectUri, sessionId, psuContext: context } = call.headers;
    assert(redirectUri !== null, 'TPP-Redirect-URI is required');
    const returnTo = { redirectUri, sessionId };
    const scaId = await identify(call.bank, { tpp: call.tpp, psu: psuOf(call.headers), context, returnTo });
    return { status: 200, body: offeredSca(call.scaAddress(scaId)) };
  },
};

/** interface: GET /v1/user, the same under the name that the corporate flow uses. */
export const identifyUserSingular: Endpoint = { ...identifyUser, path: '/user' };
