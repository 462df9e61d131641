import { readBalances as read } from '../../engine/operations/read-balances.ts';
import type { Endpoint } from '../endpoint.ts';
import { balanceReport } from '../representations/balance.ts';
import { accountRequest } from './account-request.ts';
import { QueryReader } from './query-reader.ts';

/** interface: GET /v1/accounts/{id}/balances. */
export const readBalances: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId/balances',
  role: 'PSP_AI',
  requires: [],
  body: null,
  handle: async (call) => {
    new QueryReader(call.query, []).finish();
    const found = await read(call.bank, accountRequest(call), call.params['accountId'] ?? '');
    return { status: 200, body: balanceReport(found) };
  },
};
