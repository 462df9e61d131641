import { withOneMore } from '../../../engine/values/page.ts';
import { addTransactions } from '../../../engine/sandbox-data/add-transactions.ts';
import { changeTransactionDetails } from '../../../engine/sandbox-data/change-transaction-details.ts';
import { deleteTransaction } from '../../../engine/sandbox-data/delete-transaction.ts';
import { deleteTransactions } from '../../../engine/sandbox-data/delete-transactions.ts';
import { listSandboxTransactions } from '../../../engine/sandbox-data/list-sandbox-transactions.ts';
import { readSandboxTransaction } from '../../../engine/sandbox-data/read-sandbox-transaction.ts';
import { transactionBody, transactionsBody, type TransactionBody } from './transaction-body.ts';
import { endpoint, type Answer, type Call, type Endpoint } from '../../pipeline/endpoint.ts';
import { sandboxTransaction } from './transaction-json.ts';
import { accountIn } from './account-in.ts';
import { mockTransactionOf } from './mock-transaction-of.ts';
import { pageAnswer, transactionWindow, windowParameters } from './transaction-window.ts';

const common = { role: null, names: 'account', requires: [], body: null } as const;
const path = '/sandbox/accounts/:accountId/transactions';

/** interface: /v1/sandbox/accounts/{id}/transactions; real-api-facts.md 10. Lists are plain arrays, bodies too. */
export const transactions: readonly Endpoint[] = [
  endpoint({ ...common, method: 'POST', path, body: transactionsBody, handle: add }),
  { ...common, method: 'GET', path, query: windowParameters, handle: list },
  { ...common, method: 'DELETE', path, handle: removeAll },
  endpoint({ ...common, method: 'POST', path: `${path}/:transactionId`, body: transactionBody, handle: change }),
  { ...common, method: 'GET', path: `${path}/:transactionId`, handle: read },
  { ...common, method: 'DELETE', path: `${path}/:transactionId`, handle: remove },
];

async function add(call: Call<readonly TransactionBody[]>): Promise<Answer> {
  const wanted = call.body.map(mockTransactionOf);
  const added = await addTransactions(call.bank, accountIn(call), wanted);
  return { status: 201, body: added.map(sandboxTransaction) };
}

async function list(call: Call): Promise<Answer> {
  const window = transactionWindow(call.query);
  const found = await listSandboxTransactions(call.bank, accountIn(call), withOneMore(window));
  return pageAnswer(window, found.map(sandboxTransaction));
}

async function removeAll(call: Call): Promise<Answer> {
  await deleteTransactions(call.bank, accountIn(call));
  return { status: 204 };
}

async function read(call: Call): Promise<Answer> {
  const found = await readSandboxTransaction(call.bank, accountIn(call), transactionIn(call));
  return { status: 200, body: sandboxTransaction(found) };
}

async function change(call: Call<TransactionBody>): Promise<Answer> {
  const wanted = mockTransactionOf(call.body);
  await changeTransactionDetails(call.bank, accountIn(call), transactionIn(call), wanted);
  return { ...(await read(call)), status: 201 };
}

async function remove(call: Call): Promise<Answer> {
  await deleteTransaction(call.bank, accountIn(call), transactionIn(call));
  return { status: 204 };
}

function transactionIn({ params }: Call): string {
  return params['transactionId'] ?? '';
}
