import { choice, closed, integer, listOf, meaning, optional, text, titled } from '../../bodies/schema.ts';
import {
  cashAccountType,
  currency,
  customerNumber,
  date,
  maskedPan,
  name,
  productName,
  roles,
} from '../../bodies/values.ts';
import { story } from '../../bodies/examples.ts';
import {
  numberMembers,
  amount,
  idLike,
  links,
  namedAccount,
  ownNumbers,
  some,
  transactionId,
} from '../answer-parts.ts';
import { shownDates, shownDetails, transactionDetails } from '../accounts/account-answers.ts';

/* Answers about the test data. */

const count = (what: string) => integer(`how many ${what} there are`, { minimum: 0 });
const decimal = text('a decimal string', { pattern: '^-?\\d+(\\.\\d+)?$' });

export const initializedAnswer = titled('InitializedSandbox', 'What the known state holds.').closed({
  customers: count('customers'),
  accounts: count('accounts'),
  cardAccounts: count('card accounts'),
  agreements: count('agreements'),
  engagements: count('engagements'),
  _links: links('/v1/sandbox', ['customers', 'agreements', 'accounts', 'cardAccounts']),
});

export const customerAnswer = titled('Customer', 'A customer of the bank.', {
  examples: [{ customerType: 'PRIVATE', customerName: 'Test Testperson 3' }],
}).closed({
  customerId: idLike(story.customerId),
  customerNumber,
  customerType: choice('the kind of customer, in the case that it was created in', [
    'private',
    'corporate',
    'PRIVATE',
    'CORPORATE',
  ]),
  customerName: name,
  _links: links(`/v1/sandbox/customers/${story.customerId}`, ['self']),
});

export const accountAnswer = titled('AccountOfTestData', 'An account, whoever may read it.', {
  examples: [{ ...ownNumbers, accountName: 'Totalkonto', cashAccountType: 'CACC', creditLine: '0.00' }],
}).closed({
  id: idLike(story.accountId),
  resourceId: idLike(story.accountId, 'The same as id.'),
  customerNumber,
  accountName: name,
  ...numberMembers,
  currency,
  product: optional(productName),
  cashAccountType: optional(cashAccountType),
  creditLine: meaning('How far the balance may go below zero.', decimal),
  balances: listOf(
    closed({ balanceType: choice('which balance it is', ['EXPECTED']), balanceAmount: amount }),
    'A list of one balance.',
    {
      minItems: 1,
      maxItems: 1,
    },
  ),
  _links: links(`/v1/sandbox/accounts/${story.accountId}`, ['self', 'transactions']),
});

export const agreementAnswer = titled('AgreementOfTestData', 'An agreement with its engagements.', {
  examples: [{ owner: story.corporation, name: 'Corporation 1 AS', type: 'CORPORATE', engagements: [] }],
}).closed({
  agreementId: idLike(story.agreementId),
  owner: meaning('The number of the customer who owns the accounts.', customerNumber),
  name,
  type: choice('the kind of customer who owns it', ['PRIVATE', 'CORPORATE']),
  engagements: listOf(
    titled('Engagement', 'What a PSU may do with an account.').closed({
      customer: customerNumber,
      account: namedAccount,
      roles,
    }),
    'What PSUs may do with the accounts of the agreement.',
  ),
  _links: links(`/v1/sandbox/agreements/${story.agreementId}`, ['self'], ['engagements']),
});

export const cardAccountAnswer = titled('CardAccountOfTestData', 'A card account, whoever may read it.', {
  examples: [{ name: 'Kredittkort', creditLimit: { amount: '30000.00', currency: 'NOK' } }],
}).closed({
  resourceId: idLike(story.cardId),
  customerNumber,
  maskedPan,
  currency,
  name,
  product: optional(name),
  creditLimit: amount,
  balances: listOf(
    closed({
      balanceType: choice('which balance it is', ['EXPECTED']),
      balanceAmount: amount,
      referenceDate: some,
      lastChangeDateTime: some,
      lastCommittedTransaction: some,
    }),
    'A list of one balance.',
    { minItems: 1, maxItems: 1 },
  ),
  cardId: some,
  cardIdVNo: some,
  accountNumber: some,
  expiry: some,
  status: some,
  _links: links(`/v1/sandbox/card-accounts/${story.cardId}`, ['self', 'transactions']),
});

export const transactionAnswer = titled(
  'TransactionOfTestData',
  'A transaction of an account, as the test data has it.',
  {
    examples: [{ ...shownDates, amount: '-1500.00', ...shownDetails }],
  },
).closed({
  transactionId,
  bookingStatus: choice('whether it is booked', ['booked', 'pending']),
  amount: meaning('A credit above zero, a debit below.', decimal),
  currency,
  valueDate: date,
  bookingDate: optional(date),
  ...transactionDetails,
});
