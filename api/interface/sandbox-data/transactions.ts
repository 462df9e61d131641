import * as Type from 'typebox';
import { withOneMore } from '../../../engine/values/lists.ts';
import {
  addTransactions,
  changeTransactionDetails,
  deleteTransaction,
  deleteTransactions,
  listSandboxTransactions,
  readSandboxTransaction,
} from '../../../engine/accounts/mock-transactions.ts';
import {
  type BatchPart,
  type Exchange,
  transactionBody,
  type TransactionBody,
  transactionsBody,
} from './transaction-body.ts';
import { type Answer, type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { pageOf, transactionAnswer } from './sandbox-answers.ts';
import { pageAnswer, transactionWindow, windowParameters } from './transaction-window.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-id.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { accountNumbers } from '../../../engine/values/account-number.ts';
import type { CurrencyExchange } from '../../../engine/accounts/rules/currency-exchange.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import type { MockTransaction } from '../../../engine/accounts/rules/mock-transaction.ts';
import type { EntryDetails, NamedAccount } from '../../../engine/accounts/rules/transaction-details.ts';
import type { Counterparty } from '../../bodies/account.ts';
import { formatMoney, minorUnitsOf } from './sandbox-amount.ts';

const common = { role: null, names: 'account', requires: [], body: null } as const;
const path = '/sandbox/accounts/:accountId/transactions';

/** interface: /v1/sandbox/accounts/{id}/transactions; real-api-facts.md 10. Lists are plain arrays, bodies too. */
export const transactions: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Add transactions to an account',
    answers: { 201: Type.Array(transactionAnswer, { description: 'The transactions that were added.' }) },
    body: transactionsBody,
    handle: add,
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List transactions of an account of the test data',
    answers: { 200: pageOf(transactionAnswer, 'transactions of the account') },
    query: windowParameters,
    faultPaths: { PERIOD_INVALID: 'fromDate' },
    handle: list,
  },
  {
    ...common,
    method: 'DELETE',
    path,
    summary: 'Delete all transactions that were added to an account',
    answers: { 204: null },
    handle: removeAll,
  },
  endpoint({
    ...common,
    method: 'POST',
    path: `${path}/:transactionId`,
    summary: 'Change what a transaction tells',
    answers: { 201: transactionAnswer },
    body: transactionBody,
    handle: change,
  }),
  {
    ...common,
    method: 'GET',
    path: `${path}/:transactionId`,
    summary: 'Read a transaction of the test data',
    answers: { 200: transactionAnswer },
    handle: read,
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:transactionId`,
    summary: 'Delete a transaction that was added',
    answers: { 204: null },
    handle: remove,
  },
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
  const changed = await changeTransactionDetails(call.bank, accountIn(call), transactionIn(call), wanted);
  return { status: 201, body: sandboxTransaction(changed) };
}

async function remove(call: Call): Promise<Answer> {
  await deleteTransaction(call.bank, accountIn(call), transactionIn(call));
  return { status: 204 };
}

function accountIn({ params }: Call): string {
  return params['accountId'] ?? '';
}

function transactionIn({ params }: Call): string {
  return params['transactionId'] ?? '';
}

/**
 * A mock transaction as it was sent (real-api-facts.md 10), with bookingStatus and the transactionId of account
 * information. The amount is a signed decimal string (rules.md E5).
 */
export function sandboxTransaction(transaction: Transaction) {
  const { transactionNumber, amount, bookingDate, valueDate, details } = transaction;
  return {
    transactionId: transactionIdOf(transactionNumber),
    bookingStatus: bookingDate === null ? 'pending' : 'booked',
    amount: formatAmount(amount),
    currency: amount.currency,
    valueDate,
    ...(bookingDate !== null && { bookingDate }),
    ...details,
  };
}

/** One item of the body in the engine's terms. Derives the counterparty's BBAN from its IBAN, or the other way round. */
function mockTransactionOf(item: TransactionBody): MockTransaction {
  const { amount, currency, bookingDate, valueDate, creditorAccount, debtorAccount, ...rest } = item;
  const { originalAmount, currencyExchange, batchIndicator, batchNumberOfTransactions, entryDetails, ...texts } = rest;
  return {
    amount: minorUnitsOf(amount, currency),
    currency,
    bookingDate,
    valueDate,
    details: {
      ...texts,
      ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
      ...(debtorAccount !== undefined && { debtorAccount: named(debtorAccount) }),
      ...(originalAmount !== undefined && { originalAmount: formatMoney(originalAmount) }),
      ...(currencyExchange !== undefined && { currencyExchange: currencyExchange.map(exchangeOf) }),
      ...((batchIndicator === true || batchNumberOfTransactions !== undefined || entryDetails !== undefined) && {
        batchIndicator: true,
      }),
      ...(batchNumberOfTransactions !== undefined && { batchNumberOfTransactions }),
      ...(entryDetails !== undefined && {
        batchNumberOfTransactions: entryDetails.length,
        entryDetails: entryDetails.map((part) => partOf(part, currency)),
      }),
    },
  };
}

function partOf({ amount, creditorAccount, ...texts }: BatchPart, currency: Currency): EntryDetails {
  return {
    transactionAmount: formatMoney({ amount, currency }),
    ...texts,
    ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
  };
}

function exchangeOf({ instructedAmount, ...exchange }: Exchange): CurrencyExchange {
  return { ...exchange, ...(instructedAmount !== undefined && { instructedAmount: formatMoney(instructedAmount) }) };
}

function named(account: Counterparty): NamedAccount {
  const { bban, iban } = accountNumbers(account);
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}
