import type { Endpoint } from '../../pipeline/endpoint.ts';
import { offerOnce } from './offer-once.ts';

/** interface: GET /v1/users. Gives the PSU-ID to a TPP that only initiates payments. */
export const identifyUser: Endpoint = {
  method: 'GET',
  path: '/users',
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri'],
  body: null,
  handle: async (call) => ({ status: 200, body: await offerOnce(call, 'identification') }),
};

/** interface: GET /v1/user. The same, under the corporate flow's path. */
export const identifyUserSingular: Endpoint = { ...identifyUser, path: '/user' };
