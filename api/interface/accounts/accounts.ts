import { listTransactions, readTransaction } from '../../../engine/consents/list-transactions.ts';
import { listAccounts, readAccount, readBalances } from '../../../engine/consents/read-account.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { type Answer, type Call, endpoint } from '../../pipeline/endpoint.ts';
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
import { accountRequest, balanceParameters, reportParameters, reportQuery, withBalance } from './account-request.ts';

const common = { role: 'PSP_AI' } as const;
const one = { ...common, names: 'account' } as const;

/** interface: GET /v1/accounts and below it; real-api-facts.md 9.1 to 9.3. */
export const accounts = [
  endpoint('GET /accounts', {
    ...common,
    summary: 'List the accounts of a consent',
    answers: { 200: accountListAnswer },
    query: balanceParameters,
    handle: list,
  }),
  endpoint('GET /accounts/:accountId', {
    ...one,
    summary: 'Read an account',
    answers: { 200: accountAnswer },
    query: balanceParameters,
    handle: read,
  }),
  endpoint('GET /accounts/:accountId/balances', {
    ...one,
    summary: 'Read the balances of an account',
    answers: { 200: balanceReportAnswer },
    handle: balances,
  }),
  endpoint('GET /accounts/:accountId/transactions', {
    ...one,
    summary: 'List transactions of an account',
    answers: { 200: transactionReportAnswer },
    query: reportParameters,
    faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
    handle: transactions,
  }),
  endpoint('GET /accounts/:accountId/transactions/:transactionId', {
    ...one,
    summary: 'Read a transaction, a batch with its transfers',
    answers: { 200: transactionAnswer },
    faultPaths: { PERIOD_INVALID: 'dateFrom' },
    handle: oneTransaction,
  }),
];

async function list(call: Call): Promise<Answer> {
  const found = await listAccounts(call.bank, accountRequest(call), withBalance(call.query));
  return { status: 200, body: { accounts: found.map(accountDetails) } };
}

async function read(call: Call): Promise<Answer> {
  const wanted = withBalance(call.query);
  const found = await readAccount(call.bank, accountRequest(call), accountIn(call), wanted);
  return { status: 200, body: { account: accountDetails(found) } };
}

async function balances(call: Call): Promise<Answer> {
  return { status: 200, body: balanceReport(await readBalances(call.bank, accountRequest(call), accountIn(call))) };
}

async function transactions(call: Call): Promise<Answer> {
  const query = reportQuery(call.query);
  const account = accountIn(call);
  const report = await listTransactions(call.bank, accountRequest(call), account, query);
  const { booked, pending } = report;
  // Each list has all that is pending, unless it is filtered (rules.md A9).
  const reserved =
    pending === null || call.bank.quirks.has('pending-filtered') ? null : pending.flatMap(reservationNumber);
  const listed = { account, booked: numbersOf(booked), pending: numbersOf(pending) };
  call.addFacts({ listed: { ...listed, ...(reserved !== null && { reserved }) } });
  const transactions = { booked: report.booked ?? [], pending: report.pending ?? [] };
  return { status: 200, body: transactionReport(report), transactions };
}

/** The answer's single member, transactionsDetails, is that of Berlin Group 1.3. */
async function oneTransaction(call: Call): Promise<Answer> {
  const id = call.params['transactionId'] ?? '';
  const found = await readTransaction(call.bank, accountRequest(call), accountIn(call), id);
  const transactions = { booked: [found], pending: [] };
  return { status: 200, body: { transactionsDetails: transaction(found) }, transactions };
}

function accountIn({ params }: Call): string {
  return params['accountId'] ?? '';
}

/** None, if it is posted. */
function reservationNumber({ reservation, transactionNumber }: Transaction): readonly number[] {
  return reservation === undefined ? [] : [-transactionNumber];
}

function numbersOf(transactions: readonly Transaction[] | null): readonly number[] {
  // A reservation has none: what is booked of it is another transaction.
  const posted = transactions?.filter(({ reservation }) => reservation === undefined);
  return posted?.map(({ transactionNumber }) => transactionNumber) ?? [];
}
