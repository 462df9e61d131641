import { listTransactions as list } from '../../../engine/consents/list-transactions.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { transactionReport } from './transaction-json.ts';
import { transactionReportAnswer } from './transaction-answers.ts';
import { accountRequest, reportParameters, reportQuery } from './account-request.ts';

/** interface: GET /v1/accounts/{id}/transactions. */
export const listTransactions: Endpoint = {
  method: 'GET',
  path: '/accounts/:accountId/transactions',
  summary: 'List transactions of an account',
  answers: { 200: transactionReportAnswer },
  role: 'PSP_AI',
  names: 'account',
  requires: [],
  query: reportParameters,
  body: null,
  faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
  handle: async (call) => {
    const query = reportQuery(call.query);
    const account = call.params['accountId'] ?? '';
    const report = await list(call.bank, accountRequest(call), account, query);
    call.addFacts({ listed: { account, booked: numbersOf(report.booked), pending: numbersOf(report.pending) } });
    return { status: 200, body: transactionReport(report) };
  },
};

function numbersOf(transactions: readonly Transaction[] | null): readonly number[] {
  return transactions?.map(({ transactionNumber }) => transactionNumber) ?? [];
}
