import * as Type from 'typebox';
import { parseIban, isBban, isBbanMod11 } from '../../engine/values/account-number.ts';
import { isCurrency, parseAmount } from '../../engine/values/money.ts';
import { parseRate } from '../../engine/values/price-list.ts';
import { categories, type Role, roles } from '../../engine/life/rules/persona.ts';
import { formatValue, listed, memberOf, type Members, type RuleFault } from './rule.ts';
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
    everyOpenDay: Type.Optional(Type.Literal(true, { description: 'true: on each day on which shops are open' })),
    closedOnHolidays: Type.Optional(
      Type.Boolean({ description: 'true: on the last open day before a Sunday or a holiday' }),
    ),
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

const kinds = [
  'transfer',
  'card',
  'trip',
  'standing order',
  'bulk',
  'interest',
  'overdraft interest',
  'fee for failed orders',
  'left over',
] as const;

type Kind = (typeof kinds)[number];

const kids = ['hasKid', 'isKidWrong', 'againAfterDays', 'drawnWith'];
/** The members that each occasion must have beside on and what, and the kinds of its event. */
const membersOfOccasion = {
  late: { must: ['event', 'days'], kinds: ['transfer'] },
  'charged twice': { must: ['event'], kinds: ['card'] },
  'new price': { must: ['event', 'amount'], kinds: ['transfer', 'card'] },
  stopped: { must: ['event'], kinds: ['transfer', 'card'] },
  'card replaced': { must: ['days'], kinds: [] },
  'account moved': { must: ['party'], kinds: [] },
} as const;

const ranges = ['upTo', 'roundTo', 'byMonth', 'foreign'];

/** The members that each kind must have, and may have, beside event, kind and when. */
const membersOf: Readonly<Record<Kind, { readonly must: readonly string[]; readonly may: readonly string[] }>> = {
  transfer: { must: ['amount'], may: [...ranges, 'text', 'texts', 'parties', 'to', ...kids, 'mandateId', 'code'] },
  card: {
    must: ['card', 'amount', 'shops'],
    may: [...ranges, 'reserved', 'lapsesAfterDays', 'refundsPerYear', 'code'],
  },
  trip: { must: ['places'], may: [] },
  'standing order': { must: ['amount', 'text', 'party'], may: ['to'] },
  bulk: { must: ['text', 'payees'], may: [] },
  interest: { must: ['text', 'rate'], may: ['code'] },
  'overdraft interest': { must: ['text', 'rate'], may: ['code'] },
  'fee for failed orders': { must: ['text', 'rate'], may: ['code'] },
  'left over': { must: ['text', 'party'], may: ['keeps', 'to', 'code'] },
};

/** Kinds that have a day. */
const dated: readonly unknown[] = kinds.filter((kind) => !['transfer', 'card', 'trip'].includes(kind));

const shops = Type.Array(label('a shop', 'NÆRMAT TORGET', 70), {
  description: 'a list of shops',
  minItems: 1,
  maxItems: 100,
});

/** The members of an amount that differs from time to time. */
const rangeMembers = {
  upTo: Type.Optional(amount('the other end of the amounts, if they differ', '-1124.50')),
  roundTo: Type.Optional(amount('what every amount is a multiple of', '100.00')),
  byMonth: Type.Optional(
    Type.Array(integer('per cent of the amount, 1 to 1000', { minimum: 1, maximum: 1_000 }), {
      description: 'a list of twelve, January first: what each month is of the amount',
      minItems: 12,
      maxItems: 12,
      examples: [[150, 145, 125, 100, 75, 60, 50, 55, 75, 100, 125, 145]],
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
    amount: amount('the amount of a purchase, below zero', '-22.50'),
    ...rangeMembers,
    shops,
    fare: closed(
      { amount: amount('the amount of the ticket, below zero', '-3290.00'), ...rangeMembers, shops },
      { title: 'PersonaFare', description: 'The ticket, which is bought days before.', rules: [amountsOfDebit] },
    ),
  },
  { title: 'PersonaPlace', description: 'A place that trips go to.', rules: [amountsOfDebit, daysOfPlace] },
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
    netPerYear: amount('what a year nets to, within a tenth', '60000.00'),
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
    rules: [eventNames, netAmount, notTooMany, oneKindOfTrips, accountsOfHousehold, eventsOfOccasions],
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

function oneWayOfWhen(members: Members): readonly RuleFault[] {
  const ways = ['days', 'perMonth', 'perYear', 'everyOpenDay'].filter((member) => members[member] !== undefined);
  if (ways.length === 0 && Object.keys(members).join() === 'months') return [];
  const wrong = (member: string, text: string): RuleFault[] => [{ member, text }];
  if (ways.length !== 1) return wrong('', 'An event has exactly one of days, perMonth and perYear. Send one of them.');
  if (members['days'] === undefined) {
    const other = ['rule', 'months'].find((member) => members[member] !== undefined);
    return other === undefined ? [] : wrong(other, `Only days have ${other}. Leave it out, or send days.`);
  }
  if (members['closedOnHolidays'] !== undefined)
    return wrong('closedOnHolidays', 'Days have a rule. Leave closedOnHolidays out.');
  return members['rule'] === undefined
    ? wrong('rule', 'Days need a rule. Send preceding, following or "month end".')
    : [];
}

function membersOfKind(members: Members): readonly RuleFault[] {
  const { kind, event: _event, when, category: _category, on: _on, ...others } = members;
  if (!kinds.some((known) => known === kind)) return [];
  const { must, may } = membersOf[kind as Kind];
  const missing = must.filter((member) => others[member] === undefined);
  const strange = Object.keys(others).filter(
    (member) => Object.hasOwn(personaEvent.properties, member) && ![...must, ...may].includes(member),
  );
  const { rule, months } = Object(when) as Members;
  const isOrdered = kind === 'standing order' || kind === 'bulk';
  const wrongDay =
    isOrdered && rule === 'month end' ? ['rule'] : kind === 'standing order' && months !== undefined ? ['months'] : [];
  const isTrip = kind === 'trip';
  const isOnlyMonths = typeof when === 'object' && Object.keys(Object(when) as object).join() === 'months';
  const isUndated = dated.includes(kind) && memberOf(when, 'days') === undefined && typeof when === 'object';
  return [
    ...missing.map((member) => ({ member, text: `The kind "${String(kind)}" needs ${member}, which is missing.` })),
    ...strange.map((member) => ({ member, text: `The kind "${String(kind)}" has no ${member}. Leave it out.` })),
    ...wrongDay.map((member) => ({
      member: `when.${member}`,
      text: `The kind "${String(kind)}" takes no such ${member}: the bank pays each month, before or after a closed day.`,
    })),
    ...(typeof when === 'object' && isTrip !== isOnlyMonths && !isUndated
      ? [
          {
            member: 'when',
            text: `The kind "${String(kind)}" has ${isTrip ? 'months alone' : 'days, perMonth or perYear'}.`,
          },
        ]
      : []),
    ...(isUndated ? [{ member: 'when', text: `The kind "${String(kind)}" has days. Send days and a rule.` }] : []),
  ];
}

function knownCurrency({ currency, rate }: Members): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  if (typeof currency === 'string' && (!isCurrency(currency) || currency === 'NOK')) {
    faults.push({
      member: 'currency',
      text: `${formatValue(currency)} is no currency other than NOK. Send its ISO 4217 code.`,
    });
  }
  if (typeof rate === 'string' && (parseRate(rate)?.scale ?? 7) > 6) {
    faults.push({ member: 'rate', text: `${formatValue(rate)} is no rate above zero with at most 6 fraction digits.` });
  }
  return faults;
}

/** Amounts in their currency, not zero, within a million; both ends of a range on one side of zero. */
function amountsOfEvent(members: Members): readonly RuleFault[] {
  const code = memberOf(members['foreign'], 'currency');
  const currency = typeof code === 'string' && isCurrency(code) ? code : 'NOK';
  const signs = new Map<string, boolean>();
  const faults: RuleFault[] = [];
  const check = (member: string, value: unknown, wanted: 'debit' | 'credit' | null, unit = currency): void => {
    if (typeof value !== 'string') return;
    const read = parseAmount(value, unit);
    if (typeof read === 'string') faults.push({ member, text: `${formatValue(value)} is refused: ${read}.` });
    else if (read.minor === 0n || read.minor > maxAmount || read.minor < -maxAmount) {
      faults.push({ member, text: `${formatValue(value)} is zero, or beyond ten million. Send another amount.` });
    } else if (wanted !== null && read.minor < 0n !== (wanted === 'debit')) {
      faults.push({
        member,
        text: `${formatValue(value)} is ${wanted === 'debit' ? 'above' : 'below'} zero. Turn its sign.`,
      });
    } else signs.set(member, read.minor < 0n);
  };
  const wantedSign = members['kind'] === 'standing order' ? 'credit' : members['isDebit'] === true ? 'debit' : null;
  check('amount', members['amount'], wantedSign);
  check('upTo', members['upTo'], null);
  check('roundTo', members['roundTo'], 'credit');
  check('keeps', members['keeps'], 'credit', 'NOK');
  check('reserved', members['reserved'], 'debit', 'NOK');
  listed(members['payees']).forEach((payee, index) => check(`payees[${index}].amount`, payee['amount'], 'credit'));
  const isMixed = signs.has('amount') && signs.has('upTo') && signs.get('amount') !== signs.get('upTo');
  if (isMixed)
    faults.push({ member: 'upTo', text: 'amount and upTo are on both sides of zero. Send two debits or two credits.' });
  return faults;
}

/** {@link amountsOfEvent}, of what costs money. */
function amountsOfDebit(members: Members): readonly RuleFault[] {
  return amountsOfEvent({ ...members, kind: 'card', isDebit: true });
}

function daysOfPlace({ days }: Members): readonly RuleFault[] {
  const [shortest, longest] = Array.isArray(days) ? (days as readonly unknown[]) : [];
  if (typeof shortest !== 'number' || typeof longest !== 'number' || shortest <= longest) return [];
  return [{ member: 'days', text: 'The fewest days are more than the most. Send the smaller number first.' }];
}

/** One account of a role, amounts of NOK, and transfers from an earlier role to a later one. */
function accountsOfHousehold({ household, events }: Members): readonly RuleFault[] {
  const accounts = listed(household);
  const given = accounts.map(({ role }) => role);
  const twice = accounts.flatMap(({ role }, index): RuleFault[] =>
    role === 'shared' || given.indexOf(role) < index
      ? [{ member: `household[${index}].role`, text: `There is an account ${String(role)} already. Leave it out.` }]
      : [],
  );
  const wrong = accounts.flatMap((account, index) =>
    ['balance', 'creditLine'].flatMap((member): RuleFault[] => {
      const value = account[member];
      const read = typeof value === 'string' ? parseAmount(value, 'NOK') : null;
      return typeof read === 'string'
        ? [{ member: `household[${index}].${member}`, text: `${formatValue(value)} is refused: ${read}.` }]
        : [];
    }),
  );
  const back = listed(events).flatMap(({ on = 'shared', to }, index): RuleFault[] =>
    to !== undefined && roles.indexOf(to as Role) <= roles.indexOf(on as Role)
      ? [
          {
            member: `events[${index}].to`,
            text: `Money goes from an earlier account to a later one: ${roles.join(', ')}.`,
          },
        ]
      : [],
  );
  return [...twice, ...wrong, ...back];
}

function membersOfOneOccasion({ on: _on, what, ...members }: Members): readonly RuleFault[] {
  const must: readonly string[] | undefined = Object.hasOwn(membersOfOccasion, String(what))
    ? membersOfOccasion[what as keyof typeof membersOfOccasion].must
    : undefined;
  const own = ['event', 'days', 'amount', 'party'];
  return own.flatMap((member): RuleFault[] => {
    if (must === undefined || must.includes(member) === (members[member] !== undefined)) return [];
    const text = must.includes(member) ? 'needs' : 'has no';
    return [{ member, text: `The occasion "${String(what)}" ${text} ${member}.` }];
  });
}

/** Occasions are of events of the persona, of a kind that can have them. */
function eventsOfOccasions({ occasions, events }: Members): readonly RuleFault[] {
  return listed(occasions).flatMap(({ what, event: name, amount: price }, index): RuleFault[] => {
    if (typeof name !== 'string' || !Object.hasOwn(membersOfOccasion, String(what))) return [];
    const kindsOfIt: readonly unknown[] = membersOfOccasion[what as keyof typeof membersOfOccasion].kinds;
    const event = listed(events).find((each) => each['event'] === name);
    const member = `occasions[${index}].event`;
    if (event === undefined) return [{ member, text: `There is no event ${name}.` }];
    if (!kindsOfIt.includes(event['kind']))
      return [
        {
          member,
          text: `The event ${name} is of the kind "${String(event['kind'])}". Send one of: ${kindsOfIt.join(', ')}.`,
        },
      ];
    if (what === 'late' && memberOf(event['when'], 'days') === undefined)
      return [{ member, text: `The event ${name} has no day. Send one that has days.` }];
    if (price === undefined) return [];
    return amountsOfEvent({ ...event, amount: price }).map(({ text }) => ({
      member: `occasions[${index}].amount`,
      text,
    }));
  });
}

/** At most four trips a year, which do not overlap (rules.md L9). */
function oneKindOfTrips({ events }: Members): readonly RuleFault[] {
  const trips = listed(events).flatMap((event, index) => (event['kind'] === 'trip' ? [{ event, index }] : []));
  const [first, second] = trips;
  if (second !== undefined)
    return [
      { member: `events[${second.index}]`, text: 'A persona has one event of trips. Add its places to the first one.' },
    ];
  const months = memberOf(first?.event['when'], 'months');
  if (first === undefined || !Array.isArray(months) || months.length <= 4) return [];
  return [{ member: `events[${first.index}].when.months`, text: 'A year has at most four trips. Send fewer months.' }];
}

const maxAmount = 1_000_000_000n;

/** Norwegian account numbers have their check digit. A payment needs one; a transfer may go abroad. */
function numbersOfEvent({ kind, parties, party, payees }: Members): readonly RuleFault[] {
  const judge = (where: string, each: unknown, needsOne: boolean): RuleFault[] => {
    const number = memberOf(each, 'account');
    const member = `${where}.account`;
    if (number === undefined && needsOne && typeof each === 'object') {
      return [{ member, text: 'A payment needs the account of its payee, which is missing.' }];
    }
    if (typeof number !== 'string') return [];
    const isAbroad = !isBban(number) && typeof parseIban(number) !== 'string' && !/\s/.test(number);
    if (isBbanMod11(number) || (isAbroad && !needsOne)) return [];
    return [
      {
        member,
        text: `${formatValue(number)} is no account number with its mod-11 check digit. Send one of 11 digits.`,
      },
    ];
  };
  return [
    ...listed(parties).flatMap((each, index) => judge(`parties[${index}]`, each, false)),
    ...(kind === 'standing order' && party !== undefined ? judge('party', party, true) : []),
    ...listed(payees).flatMap((each, index) => judge(`payees[${index}]`, each, true)),
  ];
}

function eventNames({ events }: Members): readonly RuleFault[] {
  const seen = new Set<unknown>();
  return listed(events).flatMap(({ event, when: days, drawnWith }, index): RuleFault[] => {
    const isNew = !seen.has(event);
    seen.add(event);
    const other = listed(events).find((each) => each['event'] === drawnWith);
    if (drawnWith !== undefined && JSON.stringify(other?.['when']) !== JSON.stringify(days))
      return [{ member: `events[${index}].drawnWith`, text: 'There is no event of this name with the same days.' }];
    if (isNew || typeof event !== 'string') return [];
    return [{ member: `events[${index}].event`, text: `There is an event ${event} already. Send another name.` }];
  });
}

/** The most events of a month: ten years of a life are booked at once. */
const maxPerMonth = 1_000;

function notTooMany({ events }: Members): readonly RuleFault[] {
  const counts = listed(events).map(({ when: wanted }) => {
    const [perMonth, perYear] = [memberOf(wanted, 'perMonth'), memberOf(wanted, 'perYear')];
    return typeof perMonth === 'number' ? perMonth : typeof perYear === 'number' ? perYear / 12 : 1;
  });
  const all = counts.reduce((sum, one) => sum + one, 0);
  if (all <= maxPerMonth) return [];
  return [
    { member: 'events', text: `The events are about ${Math.round(all)} a month; at most ${maxPerMonth} a month.` },
  ];
}

function netAmount({ netPerYear }: Members): readonly RuleFault[] {
  if (typeof netPerYear !== 'string') return [];
  const read = parseAmount(netPerYear, 'NOK');
  return typeof read === 'string'
    ? [{ member: 'netPerYear', text: `${formatValue(netPerYear)} is refused: ${read}.` }]
    : [];
}
