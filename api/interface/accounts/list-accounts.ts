import { listAccounts as list } from '../../../engine/consents/read-account.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { accountList } from './account-json.ts';
import { accountListAnswer } from './account-answers.ts';
import { accountRequest, balanceParameters, withBalance } from './account-request.ts';

/** interface: GET /v1/accounts. */
export const listAccounts: Endpoint = {
  method: 'GET',
  path: '/accounts',
  summary: 'List the accounts of a consent',
  answers: { 200: accountListAnswer },
  role: 'PSP_AI',
  requires: [],
  query: balanceParameters,
  body: null,
  handle: async (call) => {
    const found = await list(call.bank, accountRequest(call), withBalance(call.query));
    return { status: 200, body: accountList(found) };
  },
};
