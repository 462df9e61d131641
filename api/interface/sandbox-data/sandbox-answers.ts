import * as Type from 'typebox';
import {
  cashAccountType,
  choice,
  closed,
  currency,
  customerNumber,
  date,
  integer,
  maskedPan,
  meaning,
  name,
  productName,
  roles,
  text,
} from '../../bodies/schema.ts';
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

export const initializedAnswer = closed(
  {
    customers: count('customers'),
    accounts: count('accounts'),
    cardAccounts: count('card accounts'),
    agreements: count('agreements'),
    engagements: count('engagements'),
    _links: links('/v1/sandbox', ['customers', 'agreements', 'accounts', 'cardAccounts']),
  },
  { title: 'InitializedSandbox', description: 'What the known state holds.' },
);

export const customerAnswer = closed(
  {
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
  },
  {
    title: 'Customer',
    description: 'A customer of the bank.',
    examples: [{ customerType: 'PRIVATE', customerName: 'Test Testperson 3' }],
  },
);

export const accountAnswer = closed(
  {
    id: idLike(story.accountId),
    resourceId: idLike(story.accountId, 'The same as id.'),
    customerNumber,
    accountName: name,
    ...numberMembers,
    currency,
    product: Type.Optional(productName),
    cashAccountType: Type.Optional(cashAccountType),
    creditLine: meaning('How far the balance may go below zero.', decimal),
    balances: Type.Array(closed({ balanceType: choice('which balance it is', ['EXPECTED']), balanceAmount: amount }), {
      description: 'A list of one balance.',
      minItems: 1,
      maxItems: 1,
    }),
    _links: links(`/v1/sandbox/accounts/${story.accountId}`, ['self', 'transactions']),
  },
  {
    title: 'AccountOfTestData',
    description: 'An account, whoever may read it.',
    examples: [{ ...ownNumbers, accountName: 'Totalkonto', cashAccountType: 'CACC', creditLine: '0.00' }],
  },
);

export const agreementAnswer = closed(
  {
    agreementId: idLike(story.agreementId),
    owner: meaning('The number of the customer who owns the accounts.', customerNumber),
    name,
    type: choice('the kind of customer who owns it', ['PRIVATE', 'CORPORATE']),
    engagements: Type.Array(
      closed(
        { customer: customerNumber, account: namedAccount, roles },
        { title: 'Engagement', description: 'What a PSU may do with an account.' },
      ),
      { description: 'What PSUs may do with the accounts of the agreement.' },
    ),
    _links: links(`/v1/sandbox/agreements/${story.agreementId}`, ['self'], ['engagements']),
  },
  {
    title: 'AgreementOfTestData',
    description: 'An agreement with its engagements.',
    examples: [{ owner: story.corporation, name: 'Corporation 1 AS', type: 'CORPORATE', engagements: [] }],
  },
);

export const cardAccountAnswer = closed(
  {
    resourceId: idLike(story.cardId),
    customerNumber,
    maskedPan,
    currency,
    name,
    product: Type.Optional(name),
    creditLimit: amount,
    balances: Type.Array(
      closed({
        balanceType: choice('which balance it is', ['EXPECTED']),
        balanceAmount: amount,
        referenceDate: some,
        lastChangeDateTime: some,
        lastCommittedTransaction: some,
      }),
      { description: 'A list of one balance.', minItems: 1, maxItems: 1 },
    ),
    cardId: some,
    cardIdVNo: some,
    accountNumber: some,
    expiry: some,
    status: some,
    _links: links(`/v1/sandbox/card-accounts/${story.cardId}`, ['self', 'transactions']),
  },
  {
    title: 'CardAccountOfTestData',
    description: 'A card account, whoever may read it.',
    examples: [{ name: 'Kredittkort', creditLimit: { amount: '30000.00', currency: 'NOK' } }],
  },
);

export const transactionAnswer = closed(
  {
    transactionId,
    bookingStatus: choice('whether it is booked', ['booked', 'pending']),
    amount: meaning('A credit above zero, a debit below.', decimal),
    currency,
    valueDate: date,
    bookingDate: Type.Optional(date),
    ...transactionDetails,
  },
  {
    title: 'TransactionOfTestData',
    description: 'A transaction of an account, as the test data has it.',
    examples: [{ ...shownDates, amount: '-1500.00', ...shownDetails }],
  },
);
