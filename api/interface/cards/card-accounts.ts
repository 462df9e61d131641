import { listCardAccounts, readCardAccount } from '../../../engine/consents/read-account.ts';
import { listCardTransactions } from '../../../engine/consents/list-transactions.ts';
import { type Answer, type Call, endpoint } from '../../pipeline/endpoint.ts';
import {
  cardAnswer,
  cardBalanceAnswer,
  cardListAnswer,
  cardReportAnswer,
  cardAccountDetails,
  cardBalanceReport,
  cardTransactionReport,
} from './card-answers.ts';
import {
  accountRequest,
  balanceParameters,
  reportParameters,
  reportQuery,
  withBalance,
} from '../accounts/account-request.ts';

const common = { role: 'PSP_AI' } as const;
const one = { ...common, names: 'account' } as const;

/** real-api-facts.md 9.5: card accounts. Consents cover them like other accounts. */
export const cardAccounts = [
  endpoint('GET /card-accounts', {
    ...common,
    summary: 'List the card accounts of a consent',
    answers: { 200: cardListAnswer },
    query: balanceParameters,
    handle: list,
  }),
  endpoint('GET /card-accounts/:cardId', {
    ...one,
    summary: 'Read a card account',
    answers: { 200: cardAnswer },
    query: balanceParameters,
    handle: read,
  }),
  endpoint('GET /card-accounts/:cardId/balances', {
    ...one,
    summary: 'Read the balance of a card account',
    answers: { 200: cardBalanceAnswer },
    handle: balances,
  }),
  endpoint('GET /card-accounts/:cardId/transactions', {
    ...one,
    summary: 'List transactions of a card account',
    answers: { 200: cardReportAnswer },
    query: reportParameters,
    faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
    handle: transactions,
  }),
];

async function list(call: Call): Promise<Answer> {
  const wanted = withBalance(call.query);
  const found = await listCardAccounts(call.bank, accountRequest(call), wanted);
  return { status: 200, body: { cardAccounts: found.map((card) => cardAccountDetails(card, wanted)) } };
}

async function read(call: Call): Promise<Answer> {
  const wanted = withBalance(call.query);
  const card = await readCardAccount(call.bank, accountRequest(call), cardIn(call), wanted);
  return { status: 200, body: { cardAccount: cardAccountDetails(card, wanted) } };
}

async function balances(call: Call): Promise<Answer> {
  const card = await readCardAccount(call.bank, accountRequest(call), cardIn(call), true);
  return { status: 200, body: cardBalanceReport(card) };
}

async function transactions(call: Call): Promise<Answer> {
  const query = reportQuery(call.query);
  const report = await listCardTransactions(call.bank, accountRequest(call), cardIn(call), query);
  return { status: 200, body: cardTransactionReport(report) };
}

function cardIn({ params }: Call): string {
  return params['cardId'] ?? '';
}
