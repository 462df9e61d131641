import { readTransaction as read } from '../../../engine/consents/list-transactions.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { transaction } from './transaction-json.ts';
import { transactionAnswer } from './transaction-answers.ts';
import { accountRequest } from './account-request.ts';

/** interface: GET /v1/accounts/{id}/transactions/{transactionId}. The answer's single member, transactionsDetails, is that of Berlin Group 1.3. */
export const readTransaction: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId/transactions/:transactionId',
  summary: 'Read a transaction, a batch with its transfers',
  answers: { 200: transactionAnswer },
  role: 'PSP_AI',
  names: 'account',
  requires: [],
  body: null,
  faultPaths: { PERIOD_INVALID: 'dateFrom' },
  handle: async (call) => {
    const { accountId = '', transactionId = '' } = call.params;
    const found = await read(call.bank, accountRequest(call), accountId, transactionId);
    return { status: 200, body: { transactionsDetails: transaction(found) } };
  },
};
