import { assert } from '../../../engine/values/assert.ts';
import { identifyUser as identify } from '../../../engine/consents/identify-user.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { offeredSca } from './sca-json.ts';
import { psuOf } from '../../pipeline/request-headers.ts';

/** interface: GET /v1/users. Gives the PSU-ID to a TPP that only initiates payments. */
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

/** interface: GET /v1/user. The same, under the corporate flow's path. */
export const identifyUserSingular: Endpoint = { ...identifyUser, path: '/user' };
