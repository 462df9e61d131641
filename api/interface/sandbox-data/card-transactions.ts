import * as Type from 'typebox';
import { withOneMore } from '../../../engine/values/lists.ts';
import {
  addCardTransactions,
  listSandboxCardTransactions,
  readSandboxCardTransaction,
  removeCardTransactions,
} from '../../../engine/cards/card-transactions.ts';
import { type CardTransaction, cardTransactionsBody } from './card-transactions-body.ts';
import { type Answer, type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { cardTransactionAnswer } from '../cards/card-answers.ts';
import { pageOf } from './sandbox-answers.ts';
import { cardTransaction } from '../cards/card-json.ts';
import { pageAnswer, transactionWindow, windowParameters } from './transaction-window.ts';
import type { CardTransactionDetails, MockCardTransaction } from '../../../engine/cards/rules/card-transaction.ts';
import { amountOf, formatMoney } from './sandbox-amount.ts';

const common = { role: null, names: 'account', requires: [], body: null } as const;
const path = '/sandbox/card-accounts/:cardId/transactions';

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. Lists are plain arrays, bodies too. */
export const cardTransactions: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Add transactions to a card account',
    answers: { 201: Type.Array(cardTransactionAnswer, { description: 'The transactions that were added.' }) },
    body: cardTransactionsBody,
    faultPaths: { CONFLICT: '[0].cardTransactionId' },
    handle: add,
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List transactions of a card account of the test data',
    answers: { 200: pageOf(cardTransactionAnswer, 'transactions of the card account') },
    query: windowParameters,
    faultPaths: { PERIOD_INVALID: 'fromDate' },
    handle: list,
  },
  {
    ...common,
    method: 'DELETE',
    path,
    summary: 'Delete all transactions of a card account',
    answers: { 204: null },
    handle: remove,
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:cardTransactionId`,
    summary: 'Read a transaction of a card account of the test data',
    answers: { 200: cardTransactionAnswer },
    handle: read,
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:cardTransactionId`,
    summary: 'Delete a transaction of a card account',
    answers: { 204: null },
    handle: remove,
  },
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
  const id = call.params['cardTransactionId'] ?? '';
  const { card, transaction } = await readSandboxCardTransaction(call.bank, cardIn(call), id);
  return { status: 200, body: cardTransaction(card, transaction) };
}

async function remove(call: Call): Promise<Answer> {
  await removeCardTransactions(call.bank, cardIn(call), call.params['cardTransactionId'] ?? null);
  return { status: 204 };
}

function cardIn({ params }: Call): string {
  return params['cardId'] ?? '';
}

/** One item of the body in the engine's terms. Drops empty texts, which the published scripts send for unknown values. */
function mockCardTransactionOf(item: CardTransaction): MockCardTransaction {
  const { cardTransactionId, bookingDate, transactionDate, transactionAmount, originalAmount } = item;
  return {
    cardTransactionId: cardTransactionId || null,
    bookingDate: bookingDate || null,
    transactionDate,
    transactionAmount: amountOf(transactionAmount),
    originalAmount: originalAmount === undefined ? null : amountOf(originalAmount),
    details: detailsOf(item),
  };
}

function detailsOf(item: CardTransaction): CardTransactionDetails {
  const { invoiced, markupFee, cardAcceptorAddress } = item;
  const address = withoutEmpty(cardAcceptorAddress ?? {});
  return {
    ...withoutEmpty({
      terminalId: item.terminalId,
      merchantCategoryCode: item.merchantCategoryCode,
      markupFeePercentage: item.markupFeePercentage,
      cardAcceptorId: item.cardAcceptorId,
      maskedPan: item.maskedPan,
      transactionDetails: item.transactionDetails,
      proprietaryBankTransactionCode: item.proprietaryBankTransactionCode,
    }),
    ...(Object.keys(address).length > 0 && { cardAcceptorAddress: address }),
    ...(markupFee !== undefined && { markupFee: formatMoney(markupFee) }),
    ...(invoiced !== undefined && invoiced !== '' && { invoiced: String(invoiced) === 'true' }),
  };
}

function withoutEmpty(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
