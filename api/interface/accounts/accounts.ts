import { listTransactions, readTransaction } from '../../../engine/consents/list-transactions.ts';
import { listAccounts, readAccount, readBalances } from '../../../engine/consents/read-account.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  accountAnswer,
  accountListAnswer,
  balanceReportAnswer,
  accountDetails,
  balanceReport,
  transaction,
  transactionReport,
  transactionAnswer,
  transactionReportAnswer,
} from './account-answers.ts';
import { accountRequest, balanceParameters, reportParameters, reportQuery } from './account-request.ts';

const common = { role: 'PSP_AI' } as const;
const one = { ...common, names: 'account' } as const;

/** interface: GET /v1/accounts and below it; real-api-facts.md 9.1 to 9.3. */
export const accounts = [
  endpoint('GET /accounts', {
    ...common,
    summary: 'List the accounts of a consent',
    answers: { 200: accountListAnswer },
    query: balanceParameters,
    handle: async (call) => {
      const found = await listAccounts(call.bank, accountRequest(call), call.query.onlyFlag('withBalance'));
      return { status: 200, body: { accounts: found.map(accountDetails) } };
    },
  }),
  endpoint('GET /accounts/:accountId', {
    ...one,
    summary: 'Read an account',
    answers: { 200: accountAnswer },
    query: balanceParameters,
    handle: async (call) => {
      const wanted = call.query.onlyFlag('withBalance');
      const found = await readAccount(call.bank, accountRequest(call), call.params.accountId, wanted);
      return { status: 200, body: { account: accountDetails(found) } };
    },
  }),
  endpoint('GET /accounts/:accountId/balances', {
    ...one,
    summary: 'Read the balances of an account',
    answers: { 200: balanceReportAnswer },
    handle: async (call) => {
      const found = await readBalances(call.bank, accountRequest(call), call.params.accountId);
      return { status: 200, body: balanceReport(found) };
    },
  }),
  endpoint('GET /accounts/:accountId/transactions', {
    ...one,
    summary: 'List transactions of an account',
    answers: { 200: transactionReportAnswer },
    query: reportParameters,
    faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
    handle: async (call) => {
      const query = reportQuery(call.query);
      const account = call.params.accountId;
      const report = await listTransactions(call.bank, accountRequest(call), account, query);
      const { booked, pending } = report;
      // Each list has all that is pending, unless it is filtered (rules.md A9).
      const reserved =
        pending === null || call.bank.quirks.has('pending-filtered') ? null : pending.flatMap(reservationNumber);
      const listed = { account, booked: numbersOf(booked), pending: numbersOf(pending) };
      call.addFacts({ listed: { ...listed, ...(reserved !== null && { reserved }) } });
      const transactions = { booked: booked ?? [], pending: pending ?? [] };
      return { status: 200, body: transactionReport(report), transactions };
    },
  }),
  endpoint('GET /accounts/:accountId/transactions/:transactionId', {
    ...one,
    summary: 'Read a transaction, a batch with its transfers',
    answers: { 200: transactionAnswer },
    faultPaths: { PERIOD_INVALID: 'dateFrom' },
    handle: async (call) => {
      const { accountId, transactionId } = call.params;
      const found = await readTransaction(call.bank, accountRequest(call), accountId, transactionId);
      const transactions = { booked: [found], pending: [] };
      // The single member, transactionsDetails, is that of Berlin Group 1.3.
      return { status: 200, body: { transactionsDetails: transaction(found) }, transactions };
    },
  }),
];

/** None, if it is posted. */
function reservationNumber({ reservation, transactionNumber }: Transaction): readonly number[] {
  return reservation === undefined ? [] : [-transactionNumber];
}

function numbersOf(transactions: readonly Transaction[] | null): readonly number[] {
  // A reservation has none: what is booked of it is another transaction.
  const posted = transactions?.filter(({ reservation }) => reservation === undefined);
  return posted?.map(({ transactionNumber }) => transactionNumber) ?? [];
}
