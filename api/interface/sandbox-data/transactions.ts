import type { AnswerValue } from '../../bodies/written.ts';
import {
  addTransactions,
  changeTransactionDetails,
  deleteTransaction,
  deleteTransactions,
  listSandboxTransactions,
  readSandboxTransaction,
} from '../../../engine/accounts/mock-transactions.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { mockTransactions } from './mock-transactions.ts';
import { type Currency, formatAmount } from '../../../engine/values/money.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-list.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { accountNumbers } from '../../../engine/values/account-number.ts';
import type { CurrencyExchange, EntryDetails } from '../../../engine/accounts/rules/transaction-details.ts';
import type { GivenNumbers } from '../../../engine/values/credit-transfer.ts';
import type { MockTransaction } from '../../../engine/accounts/rules/mock-transaction.ts';
import { type Counterparty, counterparty } from '../../bodies/account.ts';
import { formatMoney, minorUnitsOf } from './resource.ts';
import * as Type from 'typebox';
import { parseLocalDate } from '../../../engine/values/local-date.ts';
import { amountFaults, fitsCurrency, minorIn, sandboxAmount, sandboxMoney } from '../../bodies/amount.ts';
import { remittanceInformationStructuredArray } from '../../bodies/remittance.ts';
import { faultAt, memberOf, type Members, type RuleFault, type SwitchedOn } from '../../bodies/rule.ts';
import { choice, flag, integer, listOf, meaning, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { currency, date, mockBookingDate, sandboxText } from '../../bodies/values.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import { decimal, idLike } from '../answer-parts.ts';
import { shownDates, shownDetails, transactionDetails } from '../accounts/accounts.ts';

const some = optional(sandboxText);

const example = {
  amount: '-1500.00',
  currency: 'NOK',
  valueDate: storyDays.lastBankingDay,
  bookingDate: storyDays.lastBankingDay,
  creditorName: 'Aftenposten',
  creditorAccount: { bban: story.creditorBban },
};

const batchPart = titled('SandboxBatchPart', 'One transfer of a mock batch, in the currency of the batch.', {
  expected: 'an object with amount, in the currency of the batch',
}).closed({
  amount: sandboxAmount,
  creditorName: some,
  creditorAccount: optional(counterparty),
  ultimateDebtor: some,
  remittanceInformationUnstructured: some,
  remittanceInformationStructuredArray: optional(remittanceInformationStructuredArray),
});

const exchange = titled('SandboxExchange', 'An exchange between two currencies.').closed({
  sourceCurrency: currency,
  targetCurrency: currency,
  unitCurrency: meaning('The currency of which one unit is worth the rate.', currency),
  exchangeRate: text('a decimal number above zero, as a string', { format: 'rate', examples: ['11.8305'] }),
  quotationDate: date,
  instructedAmount: optional(sandboxMoney),
});

/**
 * interface: /v1/sandbox/accounts/{id}/transactions; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount.
 */
export const transactionBody = titled(
  'SandboxTransaction',
  'A transaction that is to have happened on an account, or what an existing one is to tell.',
  {
    examples: [example],
    rules: [fitsCurrency, bookingBeforeValue, batchParts],
  },
).closed({
  amount: meaning('A credit to the account above zero, a debit below.', sandboxAmount),
  currency,
  valueDate: date,
  bookingDate: optional(mockBookingDate),
  remittanceInformationUnstructured: some,
  remittanceInformationUnstructuredArray: optional(
    listOf(sandboxText, 'a list of 1 to 4 texts', { minItems: 1, maxItems: 4 }),
  ),
  remittanceInformationStructuredArray: optional(remittanceInformationStructuredArray),
  creditorId: some,
  creditorName: some,
  creditorAccount: optional(counterparty),
  ultimateCreditor: some,
  debtorName: some,
  debtorAccount: optional(counterparty),
  ultimateDebtor: some,
  purposeCode: some,
  bankTransactionCode: some,
  proprietaryBankTransactionCode: some,
  mandateId: some,
  creditorAgent: some,
  debtorAgent: some,
  additionalInformation: some,
  additionalInformationProprietaryX: some,
  originalAmount: optional(sandboxMoney),
  currencyExchange: optional(listOf(exchange, 'a list of one exchange or more', { minItems: 1 })),
  batchIndicator: optional(flag('true or false')),
  batchNumberOfTransactions: optional(
    integer('how many transfers the batch has, a whole number from 1 to 2147483647', {
      minimum: 1,
      maximum: 2147483647,
    }),
  ),
  entryDetails: optional(listOf(batchPart, 'a list of the transfers of the batch, one or more', { minItems: 1 })),
});

/** The body of POST to the list. */
export const transactionsBody = Type.Array(transactionBody, {
  title: 'SandboxTransactions',
  description: 'Transactions that are to have happened on an account: all of them or none.',
  expected: 'a list of one transaction or more',
  minItems: 1,
  examples: [[example]],
});

type TransactionBody = Static<typeof transactionBody>;
type BatchPart = Static<typeof batchPart>;
type Exchange = Static<typeof exchange>;

/** rules.md D3: the booking date is not after the value date, but under weekend-values (D3c). */
function bookingBeforeValue({ bookingDate, valueDate }: Members, quirks: SwitchedOn): readonly RuleFault[] {
  if (quirks.has('weekend-values') || typeof bookingDate !== 'string' || typeof valueDate !== 'string') return [];
  const [booked, value] = [parseLocalDate(bookingDate), parseLocalDate(valueDate)];
  if (booked === null || value === null || booked <= value) return [];
  const text = `bookingDate ${booked} is after valueDate ${value}. Send the same date or an earlier one.`;
  return faultAt('bookingDate', text);
}

/**
 * The parts of a mock batch sum to its amount, and batchNumberOfTransactions is their number (interface: Account
 * transaction). Each part's amount must fit the currency, as the whole must.
 */
function batchParts({ amount, currency, batchIndicator, ...batch }: Members): readonly RuleFault[] {
  const { batchNumberOfTransactions: count, entryDetails } = batch;
  const isBatch = count !== undefined || entryDetails !== undefined;
  if (isBatch && batchIndicator === false)
    return faultAt('batchIndicator', 'It is false, and the transaction has parts. Send true, or leave it out.');
  // The schema refuses an empty list.
  if (!Array.isArray(entryDetails) || entryDetails.length === 0) return [];
  const parts: readonly unknown[] = entryDetails;
  const faults = parts.flatMap((part, index) =>
    amountFaults(`entryDetails[${index}].amount`, memberOf(part, 'amount'), currency),
  );
  if (typeof count === 'number' && count !== parts.length) {
    const text = `It is ${count}, and entryDetails has ${parts.length}. Send the same number, or leave it out.`;
    faults.push({ member: 'batchNumberOfTransactions', text });
  }
  const total = minorIn(amount, currency);
  const minors = parts.map((part) => minorIn(memberOf(part, 'amount'), currency));
  if (total === null || minors.includes(null)) return faults;
  const sum = minors.reduce<bigint>((left, right) => left + (right ?? 0n), 0n);
  if (sum === total) return faults;
  const text = `The parts sum to ${sum} minor units, the amount is ${total}. Send parts that sum to the amount.`;
  return [...faults, { member: 'entryDetails', text }];
}

const transactionAnswer = titled('TransactionOfTestData', 'A transaction of an account, as the test data has it.', {
  examples: [{ ...shownDates, amount: '-1500.00', ...shownDetails }],
}).closed({
  // The id of a reservation is longer than that of a booked transaction.
  transactionId: idLike(story.transactionId),
  bookingStatus: choice('whether it is booked', ['booked', 'pending']),
  amount: meaning('A credit above zero, a debit below.', decimal),
  currency,
  valueDate: date,
  bookingDate: optional(date),
  ...transactionDetails,
});

const path = '/sandbox/accounts/:accountId/transactions';

/** interface: /v1/sandbox/accounts/{id}/transactions; real-api-facts.md 10. */
export const sandboxTransactions = [
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
  endpoint('POST /sandbox/accounts/:accountId/transactions/:transactionId', {
    role: null,
    names: 'account',
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
 * information; one that is not posted has an id and a booking date of its own here (rules.md D3d). The amount is a
 * signed decimal string (rules.md E5).
 */
export function sandboxTransaction(transaction: Transaction): AnswerValue<typeof transactionAnswer> {
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

/**
 * One item of the body in the engine's terms. Derives the counterparty's BBAN from its IBAN, or the other way round.
 */
function mockTransactionOf(item: TransactionBody): MockTransaction {
  const { amount, currency, bookingDate, valueDate, creditorAccount, debtorAccount, ...rest } = item;
  const { originalAmount, currencyExchange, batchIndicator, batchNumberOfTransactions, entryDetails, ...texts } = rest;
  const [first] = texts.remittanceInformationUnstructuredArray ?? [];
  return {
    amount: minorUnitsOf(amount, currency),
    currency,
    bookingDate: bookingDate === undefined || bookingDate === '' ? null : bookingDate,
    valueDate,
    details: {
      ...(first !== undefined && { remittanceInformationUnstructured: first }),
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

function named(account: Counterparty): GivenNumbers {
  const { bban, iban } = accountNumbers(account);
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}
