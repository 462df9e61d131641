import * as Type from 'typebox';
import { assert } from '../../engine/values/assert.ts';
import { type Amount, parseInstructedAmount } from '../../engine/values/money.ts';
import {
  inspectAccount,
  inspectAccounts,
  type InspectedAccount,
  topUp,
} from '../../engine/sandbox-data/inspect-accounts.ts';
import { instructedAmount } from '../bodies/amount.ts';
import { flag, listOf, optional, text, titled } from '../bodies/schema.ts';
import { currency, customerType, date, roles } from '../bodies/values.ts';
import { story, storyDays } from '../bodies/examples.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { accountNumber, paymentId as id, person, wireId } from './answers/names.ts';
import { count, listAnswer, money, orNull, period } from './answers/forms.ts';
import { countIn, periodIn } from './read-query.ts';
import type { AnswerValue } from '../bodies/written.ts';
import { listSandboxAgreements, type SandboxAgreement } from '../../engine/sandbox-data/agreements.ts';
import { rolesOf } from '../../engine/parties/customers-and-agreements.ts';

const balance = { amount: '18000.00', currency: 'NOK' };
/** In the example of an account. */
const shown = {
  booked: balance,
  available: balance,
  expected: balance,
  creditLine: { amount: '0.00', currency: 'NOK' },
};

const accountMembers = {
  number: accountNumber,
  iban: orNull(text('the IBAN', story.debtorIban), 'null if it has none'),
  name: text('the name of the account', 'Totalkonto'),
  owner: person,
  currency,
  booked: money,
  available: money,
  expected: money,
  creditLine: money,
};

const account = titled('Account', { examples: [shown] }).closed(accountMembers);

const posted = {
  valueDate: date,
  amount: money,
  text: text('the other side, or what it is about', 'Company 123'),
  paymentId: orNull(id, 'null if it belongs to no payment'),
  wirePaymentId: wireId,
};

const isPosted = flag('false: it is reserved, or announced, and no entry');

const entry = titled('Entry', 'What was booked, with the balance after it.', {
  examples: [
    {
      bookingDate: storyDays.lastBankingDay,
      valueDate: storyDays.lastBankingDay,
      amount: { amount: '-100.00', currency: 'NOK' },
      balance,
      transactionId: story.transactionId,
    },
  ],
}).closed({
  bookingDate: date,
  ...posted,
  balance: money,
  transactionId: orNull(Type.String(), 'as a TPP reads it; null for the opening balance'),
  wireTransactionId: wireId,
});

const accountStatement = titled('AccountStatement', { examples: [shown] }).closed({
  ...accountMembers,
  entries: listOf(entry, 'those booked in the period, the oldest first'),
  total: count('how many were booked in the period'),
  pending: listOf(titled('PendingEntry').closed({ ...posted, isPosted }), 'what no run has booked yet', {
    examples: [[]],
  }),
});

const topUpBody = titled('TopUp', 'Money for an account, in its currency.', {
  examples: [{ amount: { amount: '5000.00', currency: 'NOK' } }],
}).closed({ amount: instructedAmount });

/** `/sandbox/accounts`: the open accounts of all customers, one with its entries, and money for one. */
export const accounts = [
  controlEndpoint('GET /accounts', {
    summary: 'List the accounts of all customers',
    answer: listAnswer('accounts', 'AccountList', account),
    handle: async ({ bank }) => ({ accounts: (await inspectAccounts(bank)).map(formatAccount) }),
  }),
  controlEndpoint('GET /accounts/:number', {
    summary: 'Read an account with its entries and the balance after each',
    query: {
      ...period('booking date'),
      text: optional(text('only entries with this part of their text, or of this amount', '100')),
      limit: optional(text('only so many of the latest entries, up to 500', '100')),
      offset: optional(text('how many of the latest entries to leave out; 0 without it', '0')),
    },
    answer: accountStatement,
    handle: async ({ bank, params, query }) => {
      const limit = query.has('limit') ? countIn(query, 'limit', { least: 1, most: 500, otherwise: 500 }) : undefined;
      const offset = countIn(query, 'offset', { least: 0, most: 1_000_000_000, otherwise: 0 });
      const page = { ...periodIn(query), limit, offset, text: query.get('text') || undefined };
      const { entries, total, pending, ...own } = await inspectAccount(bank, params.number, page);
      return {
        ...formatAccount(own),
        entries,
        total,
        pending,
      };
    },
  }),
  controlEndpoint('POST /accounts/:number/top-up', {
    summary: 'Put money into an account, booked at once',
    body: topUpBody,
    answer: account,
    handle: async (call) => {
      const { amount: text, currency: code } = call.readBody().amount;
      const amount = parseInstructedAmount(text, code);
      assert(typeof amount !== 'string', `${text} was checked with the body`);
      return formatAccount(await topUp(call.bank, call.params.number, amount));
    },
  }),
] as const;

function formatAccount({ account: own, owner, balances }: InspectedAccount): AnswerValue<typeof account> {
  const money = (minor: bigint): Amount => ({ minor, currency: own.currency });
  return {
    number: own.bban ?? own.iban ?? own.name,
    iban: own.iban,
    name: own.name,
    owner: { number: owner.customer_number, name: owner.name },
    currency: own.currency,
    booked: money(balances.interimBooked),
    available: money(balances.interimAvailable),
    expected: money(balances.expected),
    creditLine: money(own.credit_line_minor),
  };
}

const engagement = titled('Engagement', 'What a PSU may do with an account under the agreement.').closed({
  psu: person,
  account: titled('NamedAccount').closed({ number: accountNumber, name: text('its name', 'Totalkonto') }),
  roles,
});

const agreement = titled('Agreement', { examples: [{ engagements: [] }] }).closed({
  id: text('what a TPP sends in PSU-Corporate-ID', story.agreementId),
  name: text('the name of the agreement', 'Test Testperson 3'),
  owner: titled('Owner').closed({ ...person.properties, type: customerType }),
  engagements: listOf(engagement),
});

/** `GET /sandbox/agreements`: all agreements, the oldest first, those of private customers included. */
export const listAgreements = controlEndpoint('GET /agreements', {
  summary: 'List agreements and who may do what under them',
  answer: listAnswer('agreements', 'AgreementList', agreement),
  handle: async ({ bank }) => ({ agreements: (await listSandboxAgreements(bank)).map(formatAgreement) }),
});

function formatAgreement({ agreement: own, engagements }: SandboxAgreement): AnswerValue<typeof agreement> {
  return {
    id: own.resource_id,
    name: own.name,
    owner: { number: own.owner_number, name: own.owner_name, type: own.owner_type },
    engagements: engagements.map((engaged) => ({
      psu: { number: engaged.customer_number, name: engaged.customer_name },
      account: { number: engaged.bban ?? engaged.iban ?? engaged.account_name, name: engaged.account_name },
      roles: rolesOf(engaged),
    })),
  };
}
