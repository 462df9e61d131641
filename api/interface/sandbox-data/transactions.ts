import type { Told } from '../../bodies/written.ts';
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
import { endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { mockTransactions } from './mock-transactions.ts';
import { transactionAnswer } from './sandbox-answers.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-list.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { accountNumbers } from '../../../engine/values/account-number.ts';
import type {
  CurrencyExchange,
  EntryDetails,
  NamedAccount,
} from '../../../engine/accounts/rules/transaction-details.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import type { MockTransaction } from '../../../engine/accounts/rules/mock-transaction.ts';
import type { Counterparty } from '../../bodies/account.ts';
import { formatMoney, minorUnitsOf } from './sandbox-amount.ts';

const path = '/sandbox/accounts/:accountId/transactions';

/** interface: /v1/sandbox/accounts/{id}/transactions; real-api-facts.md 10. */
export const transactions: readonly Endpoint[] = [
  ...mockTransactions({
    path,
    ids: ['accountId', 'transactionId'],
    summaries: {
      add: 'Add transactions to an account',
      list: 'List transactions of an account of the test data',
      removeAll: 'Delete all transactions that were added to an account',
      read: 'Read a transaction of the test data',
      remove: 'Delete a transaction that was added',
    },
    all: 'transactions of the account',
    answer: transactionAnswer,
    body: transactionsBody,
    add: async (bank, account, body) =>
      (await addTransactions(bank, account, body.map(mockTransactionOf))).map(sandboxTransaction),
    list: async (bank, account, window) =>
      (await listSandboxTransactions(bank, account, window)).map(sandboxTransaction),
    removeAll: deleteTransactions,
    read: async (bank, account, id) => sandboxTransaction(await readSandboxTransaction(bank, account, id)),
    remove: deleteTransaction,
  }),
  endpoint({
    role: null,
    names: 'account',
    requires: [],
    method: 'POST',
    adds: true,
    path: `${path}/:transactionId`,
    summary: 'Change what a transaction tells',
    answers: { 201: transactionAnswer },
    body: transactionBody,
    handle: async ({ bank, params: { accountId = '', transactionId = '' }, body }) => {
      const changed = await changeTransactionDetails(bank, accountId, transactionId, mockTransactionOf(body));
      return { status: 201, body: sandboxTransaction(changed) };
    },
  }),
];

/**
 * A mock transaction as it was sent (real-api-facts.md 10), with bookingStatus and the transactionId of account
 * information; one that is not posted has an id and a booking date of its own here (rules.md D3d). The amount is a signed decimal string (rules.md E5).
 */
export function sandboxTransaction(transaction: Transaction): Told<typeof transactionAnswer> {
  const { transactionNumber, amount, bookingDate: bookedOn, valueDate, details, reservation } = transaction;
  const bookingDate = bookedOn ?? reservation?.bookingDate ?? null;
  return {
    transactionId: reservation?.id ?? transactionIdOf(transactionNumber),
    bookingStatus: bookedOn === null ? 'pending' : 'booked',
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
    bookingDate: bookingDate === undefined || bookingDate === '' ? null : bookingDate,
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
