import { amount, choice, label, list, may, members, number, text, truth } from '../../values/form.ts';
import type { LocalDate } from '../../values/local-date.ts';

/* The form of a persona, which also gives its types. It checks the personas of bodies and of files. */

/** The accounts of a household, in the order in which money goes through them; `own-1` and `own-2` are of the adults. */
export const roles = ['own-1', 'own-2', 'shared', 'own-3', 'own-4', 'savings', 'loan'] as const;

/**
 * Bakeries close on `high holidays`: the first days of the new year, Easter, Whitsun and Christmas, and Good Friday; grocers on all `holidays` and
 * Sundays; restaurants and Vinmonopolet on Christmas Eve too; offices on `weekends`, all holidays and Christmas Eve.
 */
export const closedOn = [
  'high holidays',
  'high holidays and Christmas Eve',
  'holidays',
  'holidays and Christmas Eve',
  'weekends',
] as const;

/** What a transaction of a life is, for whoever judges a reader of accounts (docs/life.md). */
export const categories = [
  'salary',
  'benefit',
  'tax',
  'housing',
  'loan',
  'energy',
  'telecom',
  'insurance',
  'children',
  'groceries',
  'kiosk',
  'restaurant',
  'shopping',
  'transport',
  'car',
  'travel',
  'subscription',
  'leisure',
  'health',
  'cash',
  'person',
  'savings',
  'own account',
  'debt collection',
  'deposit',
  'fee',
  'interest',
  'sales',
  'invoice',
  'supplies',
  'wages',
  'other',
] as const;

/** `domestic`: the national system (BankAxept); `visa`: an international card at home or online; `foreign`: abroad. */
export const cardKinds = ['domestic', 'visa', 'foreign'] as const;

const kids = ['hasKid', 'isKidWrong', 'againAfterDays', 'drawnWith'] as const;
/** The members that each occasion must have beside on and what, and the kinds of its event. */
export const membersOfOccasion = {
  late: { must: ['event', 'days'], kinds: ['transfer'] },
  'charged twice': { must: ['event'], kinds: ['card'] },
  'new price': { must: ['event', 'amount'], kinds: ['transfer', 'card'] },
  stopped: { must: ['event'], kinds: ['transfer', 'card'] },
  'card replaced': { must: ['days'], kinds: [] },
  'account moved': { must: ['party'], kinds: [] },
} as const;

const ranges = ['upTo', 'roundTo', 'byMonth', 'byWeekday', 'foreign'] as const;

/** The members that each kind must have, and may have, beside event, kind and when. */
export const membersOf = {
  transfer: {
    must: ['amount'],
    may: [...ranges, 'text', 'texts', 'seasons', 'parties', 'circle', 'to', ...kids, 'mandateId', 'code'],
  },
  card: {
    must: ['card', 'amount', 'shops'],
    may: [...ranges, 'reserved', 'lapsesAfterDays', 'refundsPerYear', 'code', 'mcc'],
  },
  trip: { must: ['places'], may: [] },
  'standing order': { must: ['amount', 'text', 'party'], may: ['to'] },
  bulk: { must: ['text', 'payees'], may: [] },
  interest: { must: ['text', 'rate'], may: ['code'] },
  'overdraft interest': { must: ['text', 'rate'], may: ['code'] },
  'fee for failed orders': { must: ['text', 'rate'], may: ['code'] },
  'left over': { must: ['text', 'party'], may: ['amount', 'keeps', 'to', 'code'] },
} as const satisfies Readonly<Record<string, MembersOfKind>>;

export type Kind = keyof typeof membersOf;

/** How money moves. */
export const kinds = Object.keys(membersOf) as readonly Kind[];

/** The members that a kind must have, and may have. */
export interface MembersOfKind {
  readonly must: readonly string[];
  readonly may: readonly string[];
}

const account = text('an account number of 11 digits with its check digit, or an IBAN abroad without blanks', {
  maxLength: 34,
  examples: ['99890412358'],
});

export const party = { name: label('the name of the other party', 'Fjordvik kommune', 70), account: may(account) };

export const when = members(
  'PersonaWhen',
  'Days with their rule, or how many times a month or a year; the months of a trip.',
  {
    /** In a shorter month: its last day. */
    days: may(list('a list of days; an account keeps one', number('a day from 1 to 31', [1, 31]), [1, 31], [12])),
    /** `month end`: 31 is the month's last banking day, or the Saturday that ends the month (register 25). */
    rule: may(choice('what replaces a closed day', ['preceeding', 'following', 'month end'])),
    months: may(list('a list of months; all when left out', number('a month from 1 to 12', [1, 12]), [1, 12], [6])),
    perMonth: may(number('a whole number of times a month, 1 to 1000', [1, 1_000], 13)),
    perYear: may(number('a whole number of times a year, 1 to 12000', [1, 12_000], 4)),
    everyOpenDay: may(choice('true: on each open day of shops; a transfer comes on the next banking day', [true])),
    everyWeek: may(choice('true: each week on its Friday or its Saturday', [true])),
    weekdays: may(list('a list of weekdays, Monday is 1', number('a weekday from 1 to 7', [1, 7]), [1, 7], [5, 6, 7])),
    closedOn: may(
      choice('when the seller is closed: it happens on the last open day before; on weekends, not at all', closedOn),
    ),
  },
  { expected: 'an object with days and rule, with perMonth, perYear, everyOpenDay or everyWeek, or with months' },
);

/** How often something comes again by agreement, and what the agreement is. */
export const rhythms = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'] as const;
export const agreements = [
  'subscription',
  'rent',
  'loan',
  'insurance',
  'phone',
  'fee',
  'gift',
  'salary',
  'benefit',
] as const;

const recurring = members('PersonaRecurring', 'By which agreement it comes again.', {
  every: choice('how often it comes', rhythms),
  kind: choice('what the agreement is', agreements),
});

const mcc = text('the merchant category code (ISO 18245)', { pattern: String.raw`^\d{4}$`, examples: ['5411'] });

const dayOfYear = { pattern: String.raw`^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$` };

const season = members('PersonaSeason', 'When a text is sent; never on high holidays and Christmas Eve.', {
  text: label('one of the texts of the event', 'Vipps: Julebord'),
  from: text('its first day, MM-DD', { ...dayOfYear, examples: ['11-10'] }),
  to: text('its last day, MM-DD; before `from`: in the next year', { ...dayOfYear, examples: ['12-22'] }),
  instead: label('the text on all other days', 'Vipps: Middag'),
});

const shops = list('a list of shops', label('a shop', 'NÆRMAT TORGET', 70), [1, 100]);

const percent = number('per cent of the amount, 0 to 1000; 0: it does not happen', [0, 1_000]);

/** The members of an amount that differs from time to time. */
export const range = {
  upTo: may(amount('the other end of the amounts, if they differ', '-1124.50')),
  roundTo: may(amount('the steps from the smaller end of the amounts', '100.00')),
  byMonth: may(list('a list of twelve, January first: what each month is of the amount', percent, [12, 12])),
  byWeekday: may(list('a list of seven, Monday first: what each weekday is of the amount', percent, [7, 7])),
  foreign: may(
    members('PersonaCurrency', 'Another currency than NOK.', {
      currency: text('the currency of the amount', { maxLength: 3, examples: ['EUR'] }),
      rate: text('NOK for one unit, at most 6 fraction digits', { maxLength: 16, examples: ['11.83'] }),
    }),
  ),
};

function bought(title: string, description: string, what: string, example: string) {
  const properties = { amount: amount(`${what}, below zero`, example), ...range, shops, mcc: may(mcc) };
  return members(`Persona${title}`, description, properties);
}

export const place = members('PersonaPlace', 'A place that trips go to.', {
  place: label('the name of the place', 'Roma', 70),
  days: list<number, readonly [number, number]>('the fewest and the most days', number('days', [1, 20]), [2, 2]),
  perDay: number('the most purchases a day, 1 to 9', [1, 9], 3),
  purchases: list(
    'a list of what is bought there, one of which each time is',
    bought('Purchase', 'Something that is bought there.', 'the amount of a purchase', '-22.50'),
    [1, 100],
  ),
  fare: bought('Fare', 'The ticket, which is bought days before.', 'the amount of the ticket', '-3290.00'),
  lodging: may(bought('Lodging', 'The nights, paid on the last day.', 'the price of a night', '-145.00')),
});

const twoDecimals = String.raw`^\d{1,3}\.\d{2}$`;
const nameForm = { pattern: '^[a-z0-9][a-z0-9-]{0,39}$' };

const salary = amount('what each time is paid', '27350.00');
const employee = members('PersonaEmployee', 'An employee and the salary.', { ...party, amount: salary });

/** What each member of an event may be, whatever its kind. */
export const membersOfEvent = {
  event: text('the name of the event, in small letters, digits and hyphens', { ...nameForm, examples: ['salary'] }),
  kind: choice('how money moves', kinds),
  when,
  amount: may(amount('the amount, a debit below zero; a standing order has it above zero', '-312.90')),
  ...range,
  on: may(choice('which account of the household; the shared one when left out', roles)),
  to: may(choice('which account of the household it goes to', roles)),
  category: may(choice('what it is to a reader of the account; other when left out', categories)),
  text: may(label('the text of the transaction', 'Lønn')),
  texts: may(list('a list of texts, one of which each time has', label('a text', 'Pizza fredag'), [1, 100])),
  seasons: may(list('a list of the seasons of texts; a text without one is sent on any day', season, [1, 100])),
  parties: may(list('a list of parties; each time has one', members('PersonaParty', 'A party.', party), [1, 100])),
  circle: may(number('how many of the parties an account deals with; all when left out', [1, 100], 6)),
  party: may(members('PersonaPayee', 'The payee of a standing order.', party)),
  payees: may(list('a list of the payees of a bulk payment', employee, [1, 100])),
  hasKid: may(truth('true: each time has a KID')),
  isKidWrong: may(truth('true: the check digit of the KID is wrong')),
  againAfterDays: may(number('after how many days the payer pays again by mistake, 1 to 10', [1, 10])),
  drawnWith: may(text('an event of the same days: a fee has its sales', { maxLength: 40, examples: ['card-sales'] })),
  mandateId: may(label('the mandate of an AvtaleGiro', 'AG-20418', 35)),
  recurring: may(recurring),
  card: may(choice('the kind of card purchase', cardKinds)),
  mcc: may(mcc),
  shops: may(shops),
  places: may(list('a list of places, to one of which each trip goes', place, [1, 20])),
  keeps: may(amount('what stays on the account when the rest goes to savings', '500.00')),
  refundsPerYear: may(number('how many purchases of a year are paid back, 1 to 100', [1, 100], 3)),
  reserved: may(amount('what is reserved in NOK if it is not the amount, below zero', '-1500.00')),
  lapsesAfterDays: may(number('after how many days the reservation lapses, 1 to 30', [1, 30])),
  code: may(text('the ISO 20022 code', { pattern: '^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$', examples: ['PMNT-RCDT-SALA'] })),
  rate: may(text('per cent a year, or NOK for each failed order', { pattern: twoDecimals, examples: ['1.25'] })),
};

export const householdAccount = members('PersonaAccount', 'An account of a household.', {
  role: choice('which account it is', roles),
  name: label('its name', 'Sparekonto', 70),
  holder: may(
    members('PersonaHolder', 'Who holds the account; the holder of the shared one when left out.', {
      customerNumber: text('the customer number', { minLength: 1, maxLength: 20, examples: ['20079518612'] }),
      name: label('the name', 'Jonas Myhrvold', 70),
    }),
  ),
  balance: amount('what stands on it', '48200.00'),
  creditLine: may(amount('its credit line, zero or above', '3000000.00')),
});

export const rise = members(
  'PersonaRise',
  'What rises each year. Amounts in other currencies, standing orders and trips do not rise.',
  {
    since: text<LocalDate>('since when the amounts are those of the file; they rise each year in its month', {
      format: 'local-date',
      examples: ['2026-05-01'],
    }),
    percent: text('per cent a year', { pattern: String.raw`^\d\.\d{2}$`, examples: ['3.50'] }),
    categories: list('a list of categories', choice('a category', categories), [1, categories.length], ['salary']),
    paidLater: may(number('how many months later the rise is paid, with what was missing, 1 to 11', [1, 11], 1)),
  },
);

/** What each member of an occasion may be, whatever it is. */
export const membersOfAnyOccasion = {
  on: text<LocalDate>('a plain date, YYYY-MM-DD', { format: 'local-date', examples: ['2027-03-30'] }),
  what: choice('what happens', Object.keys(membersOfOccasion) as (keyof typeof membersOfOccasion)[]),
  event: may(text('which event of the persona', { maxLength: 40, examples: ['streaming'] })),
  days: may(number('a number of days from 1 to 10', [1, 10])),
  amount: may(amount('the new amount', '-14.99')),
  party: may(members('PersonaNewAccount', 'The account at the other bank.', party)),
};

const occasion = members('PersonaOccasion', 'Something that happens once.', membersOfAnyOccasion);

/** A persona: a file of fixtures/personas, or in a body. */
export const personaForm = members(
  'Persona',
  'Who lives on an account: what comes in, what goes out, and when. All amounts are NOK where nothing else is said.',
  {
    $schema: may(text('the address of this schema, for editors', { maxLength: 1_000 })),
    name: text('the name of the persona, in small letters, digits and hyphens', { ...nameForm, examples: ['family'] }),
    description: label('who it is', 'Two adults and two children', 500),
    netPerYear: amount('about what a year nets to', '60000.00'),
    household: may(list('a list of the accounts beside the shared one', householdAccount, [1, roles.length - 1])),
    occasions: may(list('a list of what happens once', occasion, [1, 100])),
    rises: may(list('a list of what rises each year', rise, [1, 32])),
    events: list(
      'a list of events',
      members('PersonaEvent', 'Something that happens to the account, and when.', membersOfEvent),
      [1, 100],
    ),
  },
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
  },
);
