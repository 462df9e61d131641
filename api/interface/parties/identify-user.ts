import type { Endpoint } from '../../pipeline/endpoint.ts';
import { offeredScaAnswer } from '../answer-parts.ts';
import { offerOnce } from './offer-once.ts';

/** interface: GET /v1/users. Gives the PSU-ID to a TPP that only initiates payments. */
export const identifyUser: Endpoint = {
  method: 'GET',
  path: '/users',
  summary: 'Ask who the PSU is: an SCA whose redirect has the PSU-ID',
  answers: { 200: offeredScaAnswer },
  role: 'PSP_PI',
  requires: ['tpp-redirect-uri'],
  body: null,
  handle: async (call) => ({ status: 200, body: await offerOnce(call, 'identification') }),
};

/** interface: GET /v1/user. The same, under the corporate flow's path. */
export const identifyUserSingular: Endpoint = { ...identifyUser, path: '/user', summary: 'The same as GET /users' };
