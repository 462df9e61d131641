import * as Type from 'typebox';
import { kinds, membersOfOccasion } from '../../engine/life/rules/persona-form.ts';
import { categories, closedOn, roles } from '../../engine/life/rules/persona.ts';
import {
  accountsOfHousehold,
  amountsOfDebit,
  amountsOfEvent,
  daysOfPlace,
  eventNames,
  eventsOfOccasions,
  knownCurrency,
  membersOfKind,
  membersOfOneOccasion,
  netAmount,
  notTooMany,
  numbersOfEvent,
  fewTrips,
  oneWayOfWhen,
} from './persona-rules.ts';
import { choice, closed, date, text, integer } from './schema.ts';

const label = (description: string, example: string, maxLength = 140): Type.TString =>
  text(description, { minLength: 1, maxLength, format: 'clearing-text', examples: [example] });

const amount = (description: string, example: string): Type.TString =>
  text(`${description}, a decimal string`, { maxLength: 20, examples: [example] });

const account = Type.Optional(
  text('an account number of 11 digits with its check digit, or an IBAN abroad without blanks', {
    maxLength: 34,
    examples: ['99890412358'],
  }),
);

const partyMembers = { name: label('the name of the other party', 'Fjordvik kommune', 70), account };

const when = closed(
  {
    days: Type.Optional(
      Type.Array(integer('a day of the month from 1 to 31', { minimum: 1, maximum: 31 }), {
        description: 'a list of days of the month, of which each account keeps one',
        minItems: 1,
        maxItems: 31,
        examples: [[12, 15]],
      }),
    ),
    rule: Type.Optional(choice('what replaces a closed day', ['preceding', 'following', 'month end'])),
    months: Type.Optional(
      Type.Array(integer('a month from 1 to 12', { minimum: 1, maximum: 12 }), {
        description: 'a list of months; all when left out',
        minItems: 1,
        maxItems: 12,
        examples: [[6]],
      }),
    ),
    perMonth: Type.Optional(
      integer('a whole number of times a month, 1 to 1000', { minimum: 1, maximum: 1_000, examples: [13] }),
    ),
    perYear: Type.Optional(
      integer('a whole number of times a year, 1 to 12000', { minimum: 1, maximum: 12_000, examples: [4] }),
    ),
    everyOpenDay: Type.Optional(
      Type.Literal(true, {
        description: 'true: on each day on which shops are open; a transfer comes on the next banking day',
      }),
    ),
    closedOn: Type.Optional(choice('when the seller is closed; it then happens on the last open day before', closedOn)),
  },
  {
    title: 'PersonaWhen',
    description: 'Days with their rule, or how many times a month or a year; the months of a trip.',
    expected: 'an object with days and rule, with perMonth, with perYear, or with months',
    rules: [oneWayOfWhen],
  },
);

/** A persona in a body or a known state: the name of a listed one, or one itself, which the caller checks. */
export const personaChoice = Type.Unsafe<string | object>({
  type: ['string', 'object'],
  description: 'a persona: the name of a listed one, or one itself, as fixtures/personas has them',
  expected: 'the name of a persona, or a persona as an object',
  additionalProperties: true,
  minLength: 1,
  maxLength: 255,
  examples: ['family'],
});

const shops = Type.Array(label('a shop', 'NÆRMAT TORGET', 70), {
  description: 'a list of shops',
  minItems: 1,
  maxItems: 100,
});

/** The members of an amount that differs from time to time. */
const rangeMembers = {
  upTo: Type.Optional(amount('the other end of the amounts, if they differ', '-1124.50')),
  roundTo: Type.Optional(amount('the steps from the smaller end of the amounts', '100.00')),
  byMonth: Type.Optional(
    Type.Array(integer('per cent of the amount, 1 to 1000', { minimum: 1, maximum: 1_000 }), {
      description: 'a list of twelve, January first: what each month is of the amount',
      minItems: 12,
      maxItems: 12,
      examples: [[150, 145, 125, 100, 75, 60, 50, 55, 75, 100, 125, 145]],
    }),
  ),
  byWeekday: Type.Optional(
    Type.Array(integer('per cent of the amount, 1 to 1000', { minimum: 1, maximum: 1_000 }), {
      description: 'a list of seven, Monday first: what each weekday is of the amount',
      minItems: 7,
      maxItems: 7,
      examples: [[90, 85, 90, 100, 115, 140, 100]],
    }),
  ),
  foreign: Type.Optional(
    closed(
      {
        currency: text('the currency of the amount', { maxLength: 3, examples: ['EUR'] }),
        rate: text('NOK for one unit, with at most 6 fraction digits', { maxLength: 16, examples: ['11.83'] }),
      },
      { title: 'PersonaCurrency', description: 'Another currency than NOK.', rules: [knownCurrency] },
    ),
  ),
};

/** What costs money on a trip. */
const bought = (title: string, description: string, what: string, example: string) =>
  closed(
    { amount: amount(`${what}, below zero`, example), ...rangeMembers, shops },
    { title: `Persona${title}`, description, rules: [amountsOfDebit] },
  );

const place = closed(
  {
    place: label('the name of the place', 'Roma', 70),
    days: Type.Array(integer('a number of days from 1 to 20', { minimum: 1, maximum: 20 }), {
      description: 'the fewest and the most days there',
      minItems: 2,
      maxItems: 2,
      examples: [[4, 8]],
    }),
    perDay: integer('the most purchases a day, 1 to 9', { minimum: 1, maximum: 9, examples: [3] }),
    purchases: Type.Array(bought('Purchase', 'Something that is bought there.', 'the amount of a purchase', '-22.50'), {
      description: 'a list of what is bought there, one of which each time is',
      minItems: 1,
      maxItems: 100,
    }),
    fare: bought('Fare', 'The ticket, which is bought days before.', 'the amount of the ticket', '-3290.00'),
    lodging: Type.Optional(
      bought('Lodging', 'Where the nights are spent, paid on the last day.', 'the price of a night', '-145.00'),
    ),
  },
  { title: 'PersonaPlace', description: 'A place that trips go to.', rules: [daysOfPlace] },
);

const personaEvent = closed(
  {
    event: text('the name of the event, in small letters, digits and hyphens', {
      pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
      examples: ['salary'],
    }),
    kind: choice('how money moves', kinds),
    when,
    amount: Type.Optional(amount('the amount, a debit below zero; a standing order has it above zero', '-312.90')),
    ...rangeMembers,
    on: Type.Optional(choice('which account of the household; the shared one when left out', roles)),
    to: Type.Optional(choice('which account of the household it goes to', roles)),
    category: Type.Optional(choice('what it is to a reader of the account; other when left out', categories)),
    text: Type.Optional(label('the text of the transaction', 'Lønn')),
    texts: Type.Optional(
      Type.Array(label('a text', 'Pizza fredag'), {
        description: 'a list of texts, one of which each time has',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    parties: Type.Optional(
      Type.Array(closed(partyMembers, { title: 'PersonaParty', description: 'A payer or a payee.' }), {
        description: 'a list of other parties, one of which each time has',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    circle: Type.Optional(
      integer('how many of the parties an account deals with; all when left out', {
        minimum: 1,
        maximum: 100,
        examples: [6],
      }),
    ),
    party: Type.Optional(
      closed(partyMembers, { title: 'PersonaPayee', description: 'The payee of a standing order.' }),
    ),
    payees: Type.Optional(
      Type.Array(
        closed(
          { ...partyMembers, amount: amount('what each time is paid', '27350.00') },
          { title: 'PersonaEmployee', description: 'An employee and the salary.' },
        ),
        { description: 'a list of the payees of a bulk payment', minItems: 1, maxItems: 100 },
      ),
    ),
    hasKid: Type.Optional(Type.Boolean({ description: 'true: each time has a KID' })),
    isKidWrong: Type.Optional(Type.Boolean({ description: 'true: the check digit of the KID is wrong' })),
    againAfterDays: Type.Optional(
      integer('after how many days the payer pays again by mistake, 1 to 10', { minimum: 1, maximum: 10 }),
    ),
    drawnWith: Type.Optional(
      text('an event of the same days, whose place in its range each amount has: a fee follows its sales', {
        maxLength: 40,
        examples: ['card-sales'],
      }),
    ),
    mandateId: Type.Optional(label('the mandate of an AvtaleGiro', 'AG-20418', 35)),
    card: Type.Optional(choice('the kind of card purchase', ['domestic', 'visa', 'foreign'])),
    shops: Type.Optional(shops),
    places: Type.Optional(
      Type.Array(place, { description: 'a list of places, to one of which each trip goes', minItems: 1, maxItems: 20 }),
    ),
    keeps: Type.Optional(amount('what stays on the account when the rest goes to savings', '500.00')),
    refundsPerYear: Type.Optional(
      integer('how many purchases of a year are paid back, 1 to 100', { minimum: 1, maximum: 100, examples: [3] }),
    ),
    reserved: Type.Optional(amount('what is reserved in NOK if it is not the amount, below zero', '-1500.00')),
    lapsesAfterDays: Type.Optional(
      integer('after how many days the reservation lapses, 1 to 30', { minimum: 1, maximum: 30 }),
    ),
    code: Type.Optional(
      text('the ISO 20022 code of the transaction', {
        pattern: '^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$',
        examples: ['PMNT-RCDT-SALA'],
      }),
    ),
    rate: Type.Optional(
      text('per cent a year, or NOK for each failed order: a decimal string with two fraction digits', {
        pattern: '^\\d{1,3}\\.\\d{2}$',
        examples: ['1.25'],
      }),
    ),
  },
  {
    title: 'PersonaEvent',
    description: 'Something that happens to the account, and when.',
    rules: [membersOfKind, amountsOfEvent, numbersOfEvent],
  },
);

const householdAccount = closed(
  {
    role: choice('which account it is', roles),
    name: label('its name', 'Sparekonto', 70),
    holder: Type.Optional(
      closed(
        {
          customerNumber: text('the customer number', { minLength: 1, maxLength: 20, examples: ['20079518612'] }),
          name: label('the name', 'Jonas Myhrvold', 70),
        },
        { title: 'PersonaHolder', description: 'Who holds the account; the holder of the shared one when left out.' },
      ),
    ),
    balance: amount('what stands on it', '48200.00'),
    creditLine: Type.Optional(amount('its credit line, zero or above', '3000000.00')),
  },
  { title: 'PersonaAccount', description: 'An account of a household.' },
);

const occasion = closed(
  {
    on: date,
    what: choice('what happens', Object.keys(membersOfOccasion) as (keyof typeof membersOfOccasion)[]),
    event: Type.Optional(text('which event of the persona', { maxLength: 40, examples: ['streaming'] })),
    days: Type.Optional(integer('a number of days from 1 to 10', { minimum: 1, maximum: 10 })),
    amount: Type.Optional(amount('the new amount', '-14.99')),
    party: Type.Optional(
      closed(partyMembers, { title: 'PersonaNewAccount', description: 'The account at the other bank.' }),
    ),
  },
  { title: 'PersonaOccasion', description: 'Something that happens once.', rules: [membersOfOneOccasion] },
);

/** A file of fixtures/personas, or a persona in a body: who lives on an account (docs/life.md). */
export const personaFile = closed(
  {
    $schema: Type.Optional(text('the address of this schema, for editors', { maxLength: 1_000 })),
    name: text('the name of the persona, in small letters, digits and hyphens', {
      pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
      examples: ['family'],
    }),
    description: label('who it is', 'Two adults and two children', 500),
    netPerYear: amount('about what a year nets to', '60000.00'),
    household: Type.Optional(
      Type.Array(householdAccount, {
        description: 'a list of the accounts beside the shared one, as they are made if none is given',
        minItems: 1,
        maxItems: roles.length - 1,
      }),
    ),
    occasions: Type.Optional(
      Type.Array(occasion, { description: 'a list of what happens once', minItems: 1, maxItems: 100 }),
    ),
    events: Type.Array(personaEvent, { description: 'a list of events', minItems: 1, maxItems: 100 }),
  },
  {
    title: 'Persona',
    description:
      'Who lives on an account: what comes in, what goes out, and when. All amounts are NOK where nothing else is said.',
    rules: [eventNames, netAmount, notTooMany, fewTrips, accountsOfHousehold, eventsOfOccasions],
    examples: [
      {
        name: 'pensioner',
        description: 'A pension, and little else',
        netPerYear: '180000.00',
        events: [
          {
            event: 'pension',
            kind: 'transfer',
            when: { days: [20], rule: 'preceding' },
            amount: '15000.00',
            text: 'Pensjon',
            parties: [{ name: 'Nordly Pensjonskasse' }],
          },
        ],
      },
    ],
  },
);
