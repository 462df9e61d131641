import { readTransaction as read } from '../../engine/operations/read-transaction.ts';
import type { Endpoint } from '../endpoint.ts';
import { transaction } from '../representations/transaction.ts';
import { accountRequest } from './account-request.ts';
import { QueryReader } from './query-reader.ts';

/** interface: GET /v1/accounts/{id}/transactions/{transactionId}. The answer's one member is Berlin Group 1.3's. */
export const readTransaction: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId/transactions/:transactionId',
  role: 'PSP_AI',
  requires: [],
  body: null,
  handle: async (call) => {
    new QueryReader(call.query, []).finish();
    const { accountId = '', transactionId = '' } = call.params;
    const found = await read(call.bank, accountRequest(call), accountId, transactionId);
    return { status: 200, body: { transactionsDetails: transaction(found) } };
  },
};
