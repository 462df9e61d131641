import { withOneMore } from '../../../engine/values/page.ts';
import { addCardTransactions } from '../../../engine/sandbox-data/add-card-transactions.ts';
import { listSandboxCardTransactions } from '../../../engine/sandbox-data/list-sandbox-card-transactions.ts';
import { readSandboxCardAccount } from '../../../engine/sandbox-data/read-sandbox-card-account.ts';
import { readSandboxCardTransaction } from '../../../engine/sandbox-data/read-sandbox-card-transaction.ts';
import { removeCardTransactions } from '../../../engine/sandbox-data/remove-card-transactions.ts';
import { cardTransactionsBody, type CardTransaction } from './card-transactions-body.ts';
import { endpoint, type Answer, type Call, type Endpoint } from '../../pipeline/endpoint.ts';
import { cardTransaction } from '../cards/card-transaction-json.ts';
import { mockCardTransactionOf } from './mock-card-transaction-of.ts';
import { pageAnswer, transactionWindow, windowParameters } from './transaction-window.ts';

const common = { role: null, names: 'account', requires: [], body: null } as const;
const path = '/sandbox/card-accounts/:cardId/transactions';

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. Lists are plain arrays, bodies too. */
export const cardTransactions: readonly Endpoint[] = [
  endpoint({ ...common, method: 'POST', path, body: cardTransactionsBody, handle: add }),
  { ...common, method: 'GET', path, query: windowParameters, handle: list },
  { ...common, method: 'DELETE', path, handle: remove },
  { ...common, method: 'GET', path: `${path}/:cardTransactionId`, handle: read },
  { ...common, method: 'DELETE', path: `${path}/:cardTransactionId`, handle: remove },
];

async function add(call: Call<readonly CardTransaction[]>): Promise<Answer> {
  const wanted = call.body.map(mockCardTransactionOf);
  const { card, added } = await addCardTransactions(call.bank, cardIn(call), wanted);
  return { status: 201, body: added.map((row) => cardTransaction(card, row)) };
}

async function list(call: Call): Promise<Answer> {
  const window = transactionWindow(call.query);
  const { card, transactions } = await listSandboxCardTransactions(call.bank, cardIn(call), withOneMore(window));
  return pageAnswer(
    window,
    transactions.map((row) => cardTransaction(card, row)),
  );
}

async function read(call: Call): Promise<Answer> {
  const found = await readSandboxCardTransaction(call.bank, cardIn(call), call.params['cardTransactionId'] ?? '');
  const card = await readSandboxCardAccount(call.bank, cardIn(call));
  return { status: 200, body: cardTransaction(card, found) };
}

async function remove(call: Call): Promise<Answer> {
  await removeCardTransactions(call.bank, cardIn(call), call.params['cardTransactionId'] ?? null);
  return { status: 204 };
}

function cardIn({ params }: Call): string {
  return params['cardId'] ?? '';
}
