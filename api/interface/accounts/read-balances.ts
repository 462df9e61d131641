import { readBalances as read } from '../../../engine/consents/read-account.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { balanceReport } from './balance-json.ts';
import { balanceReportAnswer } from './account-answers.ts';
import { accountRequest } from './account-request.ts';

/** interface: GET /v1/accounts/{id}/balances. */
export const readBalances: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId/balances',
  summary: 'Read the balances of an account',
  answers: { 200: balanceReportAnswer },
  role: 'PSP_AI',
  names: 'account',
  requires: [],
  body: null,
  handle: async (call) => {
    const found = await read(call.bank, accountRequest(call), call.params['accountId'] ?? '');
    return { status: 200, body: balanceReport(found) };
  },
};
