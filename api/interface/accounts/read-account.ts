import { readAccount as read } from '../../../engine/consents/read-account.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { accountDetails } from './account-json.ts';
import { accountAnswer } from './account-answers.ts';
import { accountRequest, balanceParameters, withBalance } from './account-request.ts';

/** real-api-facts.md 9.1: GET /v1/accounts/{id}. */
export const readAccount: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId',
  summary: 'Read an account',
  answers: { 200: accountAnswer },
  role: 'PSP_AI',
  names: 'account',
  requires: [],
  query: balanceParameters,
  body: null,
  handle: async (call) => {
    const wanted = withBalance(call.query);
    const found = await read(call.bank, accountRequest(call), call.params['accountId'] ?? '', wanted);
    return { status: 200, body: { account: accountDetails(found) } };
  },
};
