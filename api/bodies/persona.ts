import {
  agreements,
  cardKinds,
  categories,
  closedOn,
  kinds,
  membersOfOccasion,
  rhythms,
  roles,
} from '../../engine/life/rules/persona.ts';
import * as Type from 'typebox';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { personaRules } from './persona-rules.ts';
import { choice, flag, integer, listOf, optional, shortText, text, titled } from './schema.ts';

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

/** A text for people that clearing takes, of 1 to `maxLength` characters. */
function label(description: string, example: string, maxLength = 140): Type.TString {
  return shortText(description, maxLength, { format: 'clearing-text', examples: [example] });
}

/** An amount as a decimal string. */
function amount(description: string, example: string): Type.TString {
  return text(`${description}, a decimal string`, { maxLength: 20, examples: [example] });
}

/** A whole number; both bounds are included. */
function number(description: string, [minimum, maximum]: readonly [number, number], example?: number): Type.TInteger {
  return integer(description, { minimum, maximum, ...(example !== undefined && { examples: [example] }) });
}

function dateText(description: string, example: string): Type.TUnsafe<LocalDate> {
  return Type.Unsafe<LocalDate>({ type: 'string', description, format: 'local-date', examples: [example] });
}

/** A list with so many items. */
function list<Item extends Type.TSchema>(
  description: string,
  items: Item,
  [minItems, maxItems]: readonly [number, number],
  example?: unknown,
): Type.TArray<Item> {
  return listOf(items, description, { minItems, maxItems, ...(example !== undefined && { examples: [example] }) });
}

const account = text('an account number of 11 digits with its check digit, or an IBAN abroad without blanks', {
  maxLength: 34,
  examples: ['99890412358'],
});

const party = { name: label('the name of the other party', 'Fjordvik kommune', 70), account: optional(account) };

const when = titled('PersonaWhen', 'Days with their rule, or how many times a month or a year; the months of a trip.', {
  expected: 'an object with days and rule, with perMonth, perYear, everyOpenDay or everyWeek, or with months',
  rules: personaRules.when,
}).closed({
  /** In a shorter month: its last day. */
  days: optional(list('a list of days; an account keeps one', number('a day from 1 to 31', [1, 31]), [1, 31], [12])),
  /** `month end`: 31 is the month's last banking day, or the Saturday that ends the month (register 25). */
  rule: optional(choice('what replaces a closed day', ['preceeding', 'following', 'month end'])),
  months: optional(list('a list of months; all when left out', number('a month from 1 to 12', [1, 12]), [1, 12], [6])),
  perMonth: optional(number('a whole number of times a month, 1 to 1000', [1, 1_000], 13)),
  perYear: optional(number('a whole number of times a year, 1 to 12000', [1, 12_000], 4)),
  everyOpenDay: optional(choice('true: on each open day of shops; a transfer comes on the next banking day', [true])),
  everyWeek: optional(choice('true: each week on its Friday or its Saturday', [true])),
  weekdays: optional(
    list('a list of weekdays, Monday is 1', number('a weekday from 1 to 7', [1, 7]), [1, 7], [5, 6, 7]),
  ),
  closedOn: optional(
    choice('when the seller is closed: it happens on the last open day before; on weekends, not at all', closedOn),
  ),
});

const recurring = titled('PersonaRecurring', 'By which agreement it comes again.').closed({
  every: choice('how often it comes', rhythms),
  kind: choice('what the agreement is', agreements),
});

const mcc = text('the merchant category code (ISO 18245)', { pattern: String.raw`^\d{4}$`, examples: ['5411'] });

const dayOfYear = { pattern: String.raw`^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$` };

const season = titled('PersonaSeason', 'When a text is sent; never on high holidays and Christmas Eve.').closed({
  text: label('one of the texts of the event', 'Vipps: Julebord'),
  from: text('its first day, MM-DD', { ...dayOfYear, examples: ['11-10'] }),
  to: text('its last day, MM-DD; before `from`: in the next year', { ...dayOfYear, examples: ['12-22'] }),
  instead: label('the text on all other days', 'Vipps: Middag'),
});

const shops = list('a list of shops', label('a shop', 'NÆRMAT TORGET', 70), [1, 100]);

const percent = number('per cent of the amount, 0 to 1000; 0: it does not happen', [0, 1_000]);

/** Of an amount that differs from time to time. */
const range = {
  upTo: optional(amount('the other end of the amounts, if they differ', '-1124.50')),
  roundTo: optional(amount('the steps from the smaller end of the amounts', '100.00')),
  byMonth: optional(list('a list of twelve, January first: what each month is of the amount', percent, [12, 12])),
  byWeekday: optional(list('a list of seven, Monday first: what each weekday is of the amount', percent, [7, 7])),
  foreign: optional(
    titled('PersonaCurrency', 'Another currency than NOK.', { rules: personaRules.currency }).closed({
      currency: text('the currency of the amount', { maxLength: 3, examples: ['EUR'] }),
      rate: text('NOK for one unit, at most 6 fraction digits', { maxLength: 16, examples: ['11.83'] }),
    }),
  ),
};

function bought(title: string, description: string, what: string, example: string) {
  const properties = { amount: amount(`${what}, below zero`, example), ...range, shops, mcc: optional(mcc) };
  return titled(`Persona${title}`, description, { rules: personaRules.bought }).closed(properties);
}

const place = titled('PersonaPlace', 'A place that trips go to.', { rules: personaRules.place }).closed({
  place: label('the name of the place', 'Roma', 70),
  days: Type.Unsafe<readonly [number, number]>(list('the fewest and the most days', number('days', [1, 20]), [2, 2])),
  perDay: number('the most purchases a day, 1 to 9', [1, 9], 3),
  purchases: list(
    'a list of what is bought there, one of which each time is',
    bought('Purchase', 'Something that is bought there.', 'the amount of a purchase', '-22.50'),
    [1, 100],
  ),
  fare: bought('Fare', 'The ticket, which is bought days before.', 'the amount of the ticket', '-3290.00'),
  lodging: optional(bought('Lodging', 'The nights, paid on the last day.', 'the price of a night', '-145.00')),
});

const twoDecimals = String.raw`^\d{1,3}\.\d{2}$`;
const nameForm = { pattern: '^[a-z0-9][a-z0-9-]{0,39}$' };

const salary = amount('what each time is paid', '27350.00');
const employee = titled('PersonaEmployee', 'An employee and the salary.').closed({ ...party, amount: salary });

/** Of an event of any kind: its rules say which kind has what. */
const membersOfEvent = {
  event: text('the name of the event, in small letters, digits and hyphens', { ...nameForm, examples: ['salary'] }),
  kind: choice('how money moves', kinds),
  when,
  amount: optional(amount('the amount, a debit below zero; a standing order has it above zero', '-312.90')),
  ...range,
  on: optional(choice('which account of the household; the shared one when left out', roles)),
  to: optional(choice('which account of the household it goes to', roles)),
  category: optional(choice('what it is to a reader of the account; other when left out', categories)),
  text: optional(label('the text of the transaction', 'Lønn')),
  texts: optional(list('a list of texts, one of which each time has', label('a text', 'Pizza fredag'), [1, 100])),
  seasons: optional(list('a list of the seasons of texts; a text without one is sent on any day', season, [1, 100])),
  parties: optional(
    list('a list of parties; each time has one', titled('PersonaParty', 'A party.').closed(party), [1, 100]),
  ),
  circle: optional(number('how many of the parties an account deals with; all when left out', [1, 100], 6)),
  party: optional(titled('PersonaPayee', 'The payee of a standing order.').closed(party)),
  payees: optional(list('a list of the payees of a bulk payment', employee, [1, 100])),
  hasKid: optional(flag('true: each time has a KID')),
  isKidWrong: optional(flag('true: the check digit of the KID is wrong')),
  againAfterDays: optional(number('after how many days the payer pays again by mistake, 1 to 10', [1, 10])),
  drawnWith: optional(
    text('an event of the same days: a fee has its sales', { maxLength: 40, examples: ['card-sales'] }),
  ),
  mandateId: optional(label('the mandate of an AvtaleGiro', 'AG-20418', 35)),
  recurring: optional(recurring),
  card: optional(choice('the kind of card purchase', cardKinds)),
  mcc: optional(mcc),
  shops: optional(shops),
  places: optional(list('a list of places, to one of which each trip goes', place, [1, 20])),
  keeps: optional(amount('what stays on the account when the rest goes to savings', '500.00')),
  refundsPerYear: optional(number('how many purchases of a year are paid back, 1 to 100', [1, 100], 3)),
  reserved: optional(amount('what is reserved in NOK if it is not the amount, below zero', '-1500.00')),
  lapsesAfterDays: optional(number('after how many days the reservation lapses, 1 to 30', [1, 30])),
  code: optional(text('the ISO 20022 code', { pattern: '^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$', examples: ['PMNT-RCDT-SALA'] })),
  rate: optional(text('per cent a year, or NOK for each failed order', { pattern: twoDecimals, examples: ['1.25'] })),
};

const householdAccount = titled('PersonaAccount', 'An account of a household.').closed({
  role: choice('which account it is', roles),
  name: label('its name', 'Sparekonto', 70),
  holder: optional(
    titled('PersonaHolder', 'Who holds the account; the holder of the shared one when left out.').closed({
      customerNumber: text('the customer number', { minLength: 1, maxLength: 20, examples: ['20079518612'] }),
      name: label('the name', 'Jonas Myhrvold', 70),
    }),
  ),
  balance: amount('what stands on it', '48200.00'),
  creditLine: optional(amount('its credit line, zero or above', '3000000.00')),
});

const rise = titled(
  'PersonaRise',
  'What rises each year. Amounts in other currencies, standing orders and trips do not rise.',
  { rules: personaRules.rise },
).closed({
  since: dateText('since when the amounts are those of the file; they rise each year in its month', '2026-05-01'),
  percent: text('per cent a year', { pattern: String.raw`^\d\.\d{2}$`, examples: ['3.50'] }),
  categories: list('a list of categories', choice('a category', categories), [1, categories.length], ['salary']),
  paidLater: optional(number('how many months later the rise is paid, with what was missing, 1 to 11', [1, 11], 1)),
});

/** Of any occasion. */
const membersOfAnyOccasion = {
  on: dateText('a plain date, YYYY-MM-DD', '2027-03-30'),
  what: choice('what happens', Object.keys(membersOfOccasion) as (keyof typeof membersOfOccasion)[]),
  event: optional(text('which event of the persona', { maxLength: 40, examples: ['streaming'] })),
  days: optional(number('a number of days from 1 to 10', [1, 10])),
  amount: optional(amount('the new amount', '-14.99')),
  party: optional(titled('PersonaNewAccount', 'The account at the other bank.').closed(party)),
};

const occasion = titled('PersonaOccasion', 'Something that happens once.', { rules: personaRules.occasion }).closed(
  membersOfAnyOccasion,
);

/** A persona: a file of fixtures/personas, or in a body. */
export const personaFile = titled(
  'Persona',
  'Who lives on an account: what comes in, what goes out, and when. All amounts are NOK where nothing else is said.',
  {
    examples: [
      {
        name: 'pensioner',
        description: 'A pension, and little else',
        netPerYear: '180000.00',
        events: [
          {
            event: 'pension',
            kind: 'transfer',
            when: { days: [20], rule: 'preceeding' },
            amount: '15000.00',
            text: 'Pensjon',
            parties: [{ name: 'Nordly Pensjonskasse' }],
          },
        ],
      },
    ],
    rules: personaRules.persona,
  },
).closed({
  $schema: optional(text('the address of this schema, for editors', { maxLength: 1_000 })),
  name: text('the name of the persona, in small letters, digits and hyphens', { ...nameForm, examples: ['family'] }),
  description: label('who it is', 'Two adults and two children', 500),
  netPerYear: amount('about what a year nets to', '60000.00'),
  household: optional(list('a list of the accounts beside the shared one', householdAccount, [1, roles.length - 1])),
  occasions: optional(list('a list of what happens once', occasion, [1, 100])),
  rises: optional(list('a list of what rises each year', rise, [1, 32])),
  events: list(
    'a list of events',
    titled('PersonaEvent', 'Something that happens to the account, and when.', { rules: personaRules.event }).closed(
      membersOfEvent,
    ),
    [1, 100],
  ),
});
