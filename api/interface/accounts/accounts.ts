import { choice, closed, flag, integer, listOf, meaning, optional, text, titled } from '../../bodies/schema.ts';
import { bic, cashAccountType, currency, date, name, productName } from '../../bodies/values.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import {
  amount,
  resourceId,
  links,
  numberMembers,
  ownNumbers,
  anyText,
  namedAccount,
  ownAccount,
  some,
  transactionId,
} from '../answer-parts.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import type { Balances } from '../../../engine/accounts/rules/entry.ts';
import {
  type AccountBalances,
  listAccounts,
  readAccount,
  readBalances,
} from '../../../engine/consents/read-account.ts';
import type { AccountWithBalances } from '../../../engine/settlement/rows/balance-sums.ts';
import { type Currency, formattedAmount } from '../../../engine/values/money.ts';
import { endpoint, link } from '../../pipeline/endpoint.ts';
import { accountNumbers as bothNumbers } from '../../../engine/values/account-number.ts';
import type { EntryDetails } from '../../../engine/accounts/rules/transaction-details.ts';
import type { GivenNumbers } from '../../../engine/values/credit-transfer.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-list.ts';
import {
  listTransactions,
  readTransaction,
  type TransactionReport,
} from '../../../engine/consents/list-transactions.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { assert } from '../../../engine/values/assert.ts';
import { transactionPage, transactionPageAnswer } from '../transaction-page.ts';
import type { Account } from '../../../engine/accounts/rows/accounts.ts';
import { remittanceInformationStructuredArray } from '../../bodies/remittance.ts';
import { accountRequest, balanceParameters, reportParameters, reportQuery } from './account-request.ts';

export const exchange = titled('CurrencyExchange', 'An exchange between two currencies.').closed({
  instructedAmount: optional(amount),
  sourceCurrency: currency,
  targetCurrency: currency,
  unitCurrency: meaning('The currency of which one unit is worth the rate.', currency),
  exchangeRate: text('a decimal number above zero, as a string', '11.8305'),
  quotationDate: date,
});

export const batchPart = titled('EntryDetails', 'One transfer of a batch; its dates are those of the batch.').closed({
  transactionAmount: amount,
  creditorName: some,
  creditorAccount: optional(namedAccount),
  ultimateDebtor: some,
  remittanceInformationUnstructured: some,
  remittanceInformationStructuredArray: optional(remittanceInformationStructuredArray),
});

/** A transaction besides its amount and dates, in account information and in the test data. */
export const transactionDetails = {
  remittanceInformationUnstructured: some,
  remittanceInformationUnstructuredArray: optional(
    listOf(anyText, 'The texts of the transaction.', { minItems: 1, maxItems: 4 }),
  ),
  remittanceInformationStructuredArray: optional(remittanceInformationStructuredArray),
  creditorId: some,
  creditorName: some,
  creditorAccount: optional(namedAccount),
  creditorAgent: optional(text("the BIC of the creditor's bank")),
  ultimateCreditor: some,
  debtorName: some,
  debtorAccount: optional(namedAccount),
  debtorAgent: optional(text("the BIC of the debtor's bank")),
  ultimateDebtor: some,
  purposeCode: some,
  bankTransactionCode: some,
  proprietaryBankTransactionCode: some,
  mandateId: some,
  additionalInformation: some,
  additionalInformationProprietaryX: some,
  originalAmount: optional(meaning('The amount in the currency of the payment.', amount)),
  currencyExchange: optional(listOf(exchange, 'How the amount was exchanged.', { minItems: 1 })),
  batchIndicator: optional(flag('whether it is a batch')),
  batchNumberOfTransactions: optional(integer('how many transfers the batch has', { minimum: 1 })),
  entryDetails: optional(
    listOf(batchPart, 'The transfers of the batch, when one transaction is read.', {
      minItems: 1,
    }),
  ),
};

/* In the example of a transaction. */
export const shownDates = { bookingDate: storyDays.lastBankingDay, valueDate: storyDays.lastBankingDay };
export const shownDetails = {
  creditorName: 'Aftenposten',
  creditorAccount: { bban: story.creditorBban },
};

const { entryDetails, ...listedDetails } = transactionDetails;
const common = {
  transactionAmount: meaning('A credit above zero, a debit below.', amount),
  ...listedDetails,
};
const booked = { transactionId, bookingDate: date, valueDate: date, ...common };
const example = { ...shownDates, transactionAmount: { amount: '-1500.00', currency: 'NOK' }, ...shownDetails };

const bookedTransaction = titled('BookedTransaction', 'A transaction that a run has booked. It never changes.', {
  examples: [example],
}).closed(booked);

export const transactionInFull = titled('TransactionInFull', 'A booked transaction; of a batch with its transfers.', {
  examples: [example],
}).closed({ ...booked, entryDetails });

export const pendingTransaction = titled(
  'PendingTransaction',
  'A transaction that no run has booked yet, without an id and dates.',
).closed(common);

const transactionReportAnswer = titled('TransactionReport', 'Transactions of one account.').closed({
  account: ownAccount,
  transactions: transactionPageAnswer(
    `/v1/accounts/${story.accountId}/transactions`,
    bookedTransaction,
    pendingTransaction,
  ),
});

const transactionAnswer = titled('TransactionDetails', 'One transaction, with the transfers of a batch.').closed({
  transactionsDetails: transactionInFull,
});

/** The types of balances, in the order of answers (rules.md S8). */
export const balanceTypes = ['openingBooked', 'interimBooked', 'interimAvailable', 'expected'] as const;
const path = `/v1/accounts/${story.accountId}`;

export const balance = titled('Balance', 'One balance of an account.').closed({
  balanceAmount: amount,
  balanceType: choice('which balance it is', balanceTypes),
});

const balances = listOf(balance, 'One balance of each type.', {
  minItems: 4,
  maxItems: 4,
  examples: [
    balanceTypes.map((balanceType) => ({ balanceAmount: { amount: '18000.00', currency: 'NOK' }, balanceType })),
  ],
});

export const account = titled('Account', 'An account that the TPP may read.', {
  examples: [{ ...ownNumbers, name: 'Totalkonto', product: 'Brukskonto', cashAccountType: 'CACC' }],
}).closed({
  resourceId: resourceId(story.accountId),
  ...numberMembers,
  currency,
  name,
  product: optional(productName),
  cashAccountType: optional(cashAccountType),
  bic: meaning('The BIC of the bank.', bic),
  balances: optional(balances),
  _links: links(path, ['self', 'balances', 'transactions']),
});

const accountListAnswer = titled('AccountList', 'The accounts that the PSU has given consent to.').closed({
  accounts: listOf(account, 'The accounts of the consent.'),
});

const accountAnswer = titled('OneAccount', 'One account.').closed({ account });

const balanceReportAnswer = titled('BalanceReport', 'The balances of one account.').closed({
  account: closed({ ...numberMembers, currency }, { description: 'Whose balances these are.', examples: [ownNumbers] }),
  balances,
  _links: links(`${path}/balances`, ['self']),
});

const ofAccounts = { role: 'PSP_AI' } as const;
const ofOne = { ...ofAccounts, names: 'account' } as const;

/** interface: GET /v1/accounts and below it; real-api-facts.md 9.1 to 9.3. */
export const accounts = [
  endpoint('GET /accounts', {
    ...ofAccounts,
    summary: 'List the accounts of a consent',
    answers: { 200: accountListAnswer },
    query: balanceParameters,
    handle: async (call) => {
      const found = await listAccounts(call.bank, accountRequest(call), call.query.onlyFlag('withBalance'));
      return { status: 200, body: { accounts: found.map(accountDetails) } };
    },
  }),
  endpoint('GET /accounts/:accountId', {
    ...ofOne,
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
    ...ofOne,
    summary: 'Read the balances of an account',
    answers: { 200: balanceReportAnswer },
    handle: async (call) => {
      const found = await readBalances(call.bank, accountRequest(call), call.params.accountId);
      return { status: 200, body: balanceReport(found) };
    },
  }),
  endpoint('GET /accounts/:accountId/transactions', {
    ...ofOne,
    summary: 'List transactions of an account',
    answers: { 200: transactionReportAnswer },
    query: reportParameters,
    faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
    handle: async (call) => {
      const query = reportQuery(call.query);
      const report = await listTransactions(call.bank, accountRequest(call), call.params.accountId, query);
      const { booked, pending } = report;
      const transactions = { booked: booked ?? [], pending: pending ?? [] };
      return { status: 200, body: transactionReport(report), transactions };
    },
  }),
  endpoint('GET /accounts/:accountId/transactions/:transactionId', {
    ...ofOne,
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

/** A test BIC: its location code ends in 0 (ISO 9362). */
const ownBic = 'SBNKNO20';

/** One account of real-api-facts.md 9.1, without members that the account has no value for. */
function accountDetails({ account: own, balances }: AccountWithBalances): AnswerValue<typeof account> {
  const self = accountAddress(own);
  return {
    resourceId: own.resource_id,
    ...accountNumbers(own),
    currency: own.currency,
    name: own.name,
    ...(own.product !== null && { product: own.product }),
    ...(own.cash_account_type !== null && { cashAccountType: own.cash_account_type }),
    bic: ownBic,
    ...(balances !== null && { balances: balanceList(balances, own.currency) }),
    _links: {
      self: link(self, 'GET'),
      balances: link(`${self}/balances`, 'GET'),
      transactions: link(`${self}/transactions?bookingStatus=both`, 'GET'),
    },
  };
}

/** real-api-facts.md 9.2: GET /v1/accounts/{id}/balances. */
export function balanceReport({ account, balances }: AccountBalances): AnswerValue<typeof balanceReportAnswer> {
  return {
    account: { ...accountNumbers(account), currency: account.currency },
    balances: balanceList(balances, account.currency),
    _links: { self: link(`${accountAddress(account)}/balances`, 'GET') },
  };
}

/** The balances that the bank knows (rules.md S8), one item for each type. */
function balanceList(balances: Balances, currency: Currency): AnswerValue<typeof balance>[] {
  return balanceTypes.map((balanceType) => ({
    balanceAmount: formattedAmount({ minor: balances[balanceType], currency }),
    balanceType,
  }));
}

/** real-api-facts.md 9.3: GET /v1/accounts/{id}/transactions. */
export function transactionReport(report: TransactionReport): AnswerValue<typeof transactionReportAnswer> {
  const { account } = report;
  return {
    account: accountNumbers(account),
    transactions: transactionPage(`${accountAddress(account)}/transactions`, report, transaction, pendingEntry),
  };
}

/** A booked transaction as its details show it, the payment's members included. */
export function transaction(booked: Transaction): AnswerValue<typeof transactionInFull> {
  const { transactionNumber, bookingDate, valueDate } = booked;
  assert(bookingDate !== null, 'a run has booked the transaction');
  return { transactionId: transactionIdOf(transactionNumber), bookingDate, valueDate, ...pendingEntry(booked) };
}

/**
 * A pending transaction; a debit is negative. It has no transactionId, as it may still change, no bookingDate, as no
 * run has booked it (rules.md S6), and no valueDate, as in the recorded answers.
 */
function pendingEntry({ amount, details }: Transaction): AnswerValue<typeof pendingTransaction> {
  const { remittanceInformationUnstructured: text, creditorAccount, debtorAccount } = details;
  return {
    transactionAmount: formattedAmount(amount),
    ...details,
    ...(creditorAccount !== undefined && { creditorAccount: bothNumbersOf(creditorAccount) }),
    ...(debtorAccount !== undefined && { debtorAccount: bothNumbersOf(debtorAccount) }),
    ...(text !== undefined && {
      remittanceInformationUnstructuredArray: [...(details.remittanceInformationUnstructuredArray ?? [text])],
    }),
    ...(details.entryDetails !== undefined && { entryDetails: details.entryDetails.map(entry) }),
  };
}

function entry({ creditorAccount, ...details }: EntryDetails): AnswerValue<typeof batchPart> {
  return { ...details, ...(creditorAccount !== undefined && { creditorAccount: bothNumbersOf(creditorAccount) }) };
}

/** A payment names its creditor by BBAN or IBAN; adds the other where it can be derived. */
function bothNumbersOf(account: GivenNumbers): GivenNumbers {
  return accountNumbers(bothNumbers(account));
}

/** BBAN and IBAN of an account, without those that are null. */
export function accountNumbers({ bban, iban }: Pick<Account, 'bban' | 'iban'>) {
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}

/** The path of an account in account information. */
function accountAddress(account: Account): string {
  return `/v1/accounts/${account.resource_id}`;
}
