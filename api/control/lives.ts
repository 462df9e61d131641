import type * as Type from 'typebox';
import { beginLife, endLife, listLives } from '../../engine/life/begin-life.ts';
import { personaChoice } from '../bodies/persona.ts';
import { choice, flag, integer, listOf, meaning, optional, shortText, text, titled } from '../bodies/schema.ts';
import { date } from '../bodies/values.ts';
import { story } from '../bodies/examples.ts';
import { listedPersona, personaNames, personaOf } from '../start/fixtures.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { beginHousehold } from '../../engine/life/begin-household.ts';
import { agreements, categories, rhythms, roles } from '../../engine/life/rules/persona.ts';
import type { Role } from '../../engine/life/rules/persona.ts';
import { assert } from '../../engine/values/assert.ts';
import { faultAt, type Members, type RuleFault } from '../bodies/rule.ts';
import { accountNumber, paymentId, wireId } from './answers/names.ts';
import { listAnswer, money, orNull, period } from './answers/forms.ts';
import { periodIn } from './read-query.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { givenIn } from './name-or-object.ts';

const number = (description: string): Type.TString => shortText(description, 100, story.debtorBban);

function oneWayOfLife({ account, accounts }: Members): readonly RuleFault[] {
  if ((account === undefined) !== (accounts === undefined)) return [];
  return faultAt('', 'Send account for one account, or accounts for a household.');
}

/** `POST /sandbox/life`. */
export const lifeBody = titled('NewLife', 'Who lives on an account, or on those of a household, from now on.', {
  expected: 'an object with account or with accounts',
  rules: [oneWayOfLife],
  examples: [{ account: story.debtorBban, persona: 'family' }],
}).closed({
  account: optional(number('the BBAN or the IBAN of an account in NOK')),
  accounts: optional(
    titled('HouseholdAccounts', 'The accounts of a household. Those that are left out are made, with their owners.', {
      examples: [{ shared: story.debtorBban }],
    }).closed({
      shared: number('the account that the household shares'),
      own: optional(
        listOf(number('an account of one person'), 'a list of the accounts of one person each', {
          maxItems: 4,
          examples: [['70323119469']],
        }),
      ),
      savings: optional(number('the savings account')),
      loan: optional(number('the account of the mortgage')),
    }),
  ),
  persona: personaChoice,
  months: optional(integer('months of past, 1 to 120; 12 when left out', { minimum: 1, maximum: 120, examples: [12] })),
  seed: optional(shortText('what all choices follow from; sandbank when left out', 100, 'sandbank')),
});

export const life = titled('Life', 'An account on which something happens by itself.').closed({
  account: accountNumber,
  persona: text('the name of the persona', 'family'),
  seed: text('what all choices follow from', 'sandbank'),
  from: meaning('The first day of its past.', date),
  role: orNull(choice('which account of its household it is', roles), 'null if it has none'),
});

const begun = titled('LifeBegun', 'The life of the account, or of the shared account of a household.').closed({
  ...life.properties,
  household: optional(listOf(life, 'the lives of all accounts of the household', { examples: [[]] })),
});

const lifeRemoved = titled('LifeRemoved').closed({ removed: accountNumber });

const truth = titled('TransactionTruth', 'What a transaction is.', {
  examples: [
    {
      bookingDate: '2027-03-08',
      amount: { amount: '-121.22', currency: 'NOK' },
      category: 'subscription',
      subscription: { amount: '11.99', currency: 'USD' },
      recurring: { every: 'P1M', kind: 'subscription' },
      merchant: 'SKYLAGER',
      mcc: '4816',
      refundOf: null,
      trip: null,
      ownAccount: null,
      isPlanned: false,
      isPayment: false,
      paymentId: null,
    },
  ],
}).closed({
  transactionId: text('the id as a TPP reads it', story.transactionId),
  wireTransactionId: wireId,
  bookingDate: date,
  amount: money,
  text: text('the name of the other side, or a text', 'STRØMMLY.EXAMPLE'),
  event: orNull(text('the event of the persona', 'streaming'), 'null if no life made it'),
  category: orNull(choice('what it is', categories), 'null if no life made it'),
  subscription: orNull(
    meaning('What each time costs, in the currency of the subscription.', money),
    'null if it is no subscription',
  ),
  recurring: orNull(
    titled('Recurring', 'How it comes again by agreement.').closed({
      every: choice('how often it comes', rhythms),
      kind: choice('what the agreement is', agreements),
    }),
    'null if it comes by habit, or once',
  ),
  merchant: orNull(text('the one name of the shop', 'STRØMMLY'), 'null if it is no purchase by card'),
  mcc: orNull(
    text('the merchant category code of the shop (ISO 18245)', '5411'),
    'null if it is unknown, or no purchase',
  ),
  refundOf: orNull(text('the transactionId of the purchase that it pays back'), 'null if it is no refund'),
  trip: orNull(text('where the trip goes to', 'Roma'), 'null if it belongs to no trip'),
  ownAccount: orNull(accountNumber, 'the other account of the household, or null if the money went elsewhere'),
  isPlanned: flag('true: a forecast made before would have listed it, on this account'),
  isPayment: flag('true: it is a payment, such as a standing order, in a made past too'),
  paymentId: orNull(paymentId, 'null if no payment of the API made it, as in a made past'),
  wirePaymentId: wireId,
});

/** `/sandbox/life`: the accounts on which something happens by itself (docs/life.md). */
export const lives = [
  controlEndpoint('GET /life', {
    summary: 'The accounts on which something happens by itself',
    answer: listAnswer('lives', 'Lives', life),
    handle: async ({ bank }) => ({ lives: await listLives(bank) }),
  }),
  controlEndpoint('POST /life', {
    summary: 'Let somebody live on an account: months of past, and what comes as the clock moves',
    body: lifeBody,
    answer: begun,
    refusals: { 409: 'The account has a life already, or another call moves the clock.' },
    handle: async (call) => {
      const { account, accounts, persona: given, months, seed } = call.readBody();
      const isName = typeof given === 'string';
      const read = () => (isName ? listedPersona(given) : personaOf(given));
      const persona = await givenIn('persona', 'The persona', read, isName ? personaNames() : undefined);
      const wanted = { persona, months, seed };
      return call.runExclusive(async () => {
        if (accounts === undefined) return beginLife(call.bank, account ?? '', wanted);
        const { own = [], ...others } = accounts;
        const entries = [...own.map((each, index) => [`own-${index + 1}`, each]), ...Object.entries(others)];
        const household = await beginHousehold(call.bank, new Map(entries as [Role, string][]), wanted);
        const shared = household.find(({ role }) => role === 'shared');
        assert(shared !== undefined, 'a household has a shared account');
        return { ...shared, household };
      });
    },
  }),
  controlEndpoint('GET /life/:number/truth', {
    summary: 'What each booked transaction of a life is, to score who reads them',
    query: period('booking date'),
    answer: listAnswer('truth', 'LifeTruth', truth),
    handle: async ({ bank, params, query }) => ({ truth: await truthOf(bank, params.number, periodIn(query)) }),
  }),
  controlEndpoint('DELETE /life/:number', {
    summary: 'End the life of an account: what is booked stays',
    answer: lifeRemoved,
    refusals: { 409: 'Another call moves the clock.' },
    handle: async ({ bank, params: { number }, runExclusive }) => {
      await runExclusive(() => endLife(bank, number));
      return { removed: number };
    },
  }),
] as const;
