import { listAgreements as list } from '../../../engine/consents/list-agreements.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { agreementList } from './agreement-json.ts';
import { accountRequest } from '../accounts/account-request.ts';

/** interface: GET /v1/agreements. Both roles choose agreements, so that none is demanded (rules.md G7). */
export const listAgreements: Endpoint = {
  method: 'GET',
  path: '/agreements',
  role: null,
  requires: [],
  body: null,
  handle: async (call) => ({ status: 200, body: agreementList(await list(call.bank, accountRequest(call))) }),
};
