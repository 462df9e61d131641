import { isCurrency, parseAmount } from '../../values/money.ts';
import { kinds, membersOf, membersOfOccasion } from '../../life/rules/persona-form.ts';
import { categories, closedOn, roles } from '../../life/rules/persona.ts';
import {
  type Allowed,
  bankDate,
  currency,
  filled,
  formed,
  listOf,
  number11,
  object,
  oneOf,
  optional,
  truth,
  whole,
  words,
} from './stored-values.ts';

/* The personas of lives, as the ledger keeps them. */

/** A decimal of NOK, or of another currency. */
const decimal = formed(/^-?\d{1,10}(\.\d{2,3})?$/);
const personaParty = { name: words, account: optional(formed(/^(\d{11}|[A-Z]{2}\d{2}[0-9A-Z]{1,30})$/)) };
const numberFrom1 = (most: number): Allowed => whole(1, most);
const dated = object({
  days: filled(numberFrom1(31)),
  rule: oneOf(['preceding', 'following', 'month end']),
  months: optional(listOf(numberFrom1(12))),
});
const closed = optional(oneOf(closedOn));
const counted = (value: unknown): boolean =>
  object({ perMonth: numberFrom1(1_000), months: optional(listOf(numberFrom1(12))), closedOn: closed })(value) ||
  object({ perYear: numberFrom1(12_000), closedOn: closed })(value);
const everyOpenDay = object({ everyOpenDay: truth });
const datedOrCounted: Allowed = (value) => dated(value) || counted(value) || everyOpenDay(value);
const foreign = object({
  currency,
  rate: formed(/^\d{1,9}(\.\d{1,6})?$/),
});
const amounts = {
  amount: decimal,
  upTo: optional(decimal),
  roundTo: optional(formed(/^\d{1,10}(\.\d{2,3})?$/)),
  byMonth: optional(listOf(numberFrom1(1_000))),
  byWeekday: optional(listOf(numberFrom1(1_000))),
  foreign: optional(foreign),
};
const amountsInShops = object({ ...amounts, shops: filled(words) });
const tripPlace = object({
  place: words,
  days: filled(numberFrom1(20)),
  perDay: numberFrom1(9),
  purchases: filled(amountsInShops),
  fare: amountsInShops,
  lodging: optional(amountsInShops),
});
/** The days of an event that are not dated. */
const days: Readonly<Record<string, Allowed>> = {
  transfer: datedOrCounted,
  card: datedOrCounted,
  trip: object({ months: filled(numberFrom1(12)) }),
  'standing order': object({ days: filled(numberFrom1(31)), rule: oneOf(['preceding', 'following']) }),
};

/** A payment needs the account of its payee. */
const payee = { ...personaParty, account: number11 };

/** The values of the members, whatever the kind of the event. */
const values: Readonly<Record<string, Allowed>> = {
  ...amounts,
  text: words,
  texts: filled(words),
  parties: listOf(object(personaParty)),
  circle: numberFrom1(100),
  party: object(personaParty),
  payees: filled(object({ ...payee, amount: decimal })),
  hasKid: truth,
  isKidWrong: truth,
  againAfterDays: numberFrom1(10),
  drawnWith: words,
  to: oneOf(roles),
  mandateId: words,
  code: words,
  card: oneOf(['domestic', 'visa', 'foreign']),
  shops: filled(words),
  reserved: decimal,
  lapsesAfterDays: numberFrom1(30),
  refundsPerYear: numberFrom1(100),
  places: filled(tripPlace),
  rate: formed(/^\d{1,3}\.\d{2}$/),
  keeps: decimal,
};

const never: Allowed = () => false;

const eventForms = new Map<unknown, Allowed>(
  kinds.map((kind) => {
    const { must, may } = membersOf[kind];
    const ofKind = [
      ...must.map((member) => [member, values[member] ?? never] as const),
      ...may.map((member) => [member, optional(values[member] ?? never)] as const),
    ];
    return [
      kind,
      object({
        event: words,
        kind: words,
        category: optional(oneOf(categories)),
        on: optional(oneOf(roles)),
        when: days[kind] ?? dated,
        ...Object.fromEntries(ofKind),
        ...(kind === 'standing order' && { party: object(payee) }),
      }),
    ];
  }),
);

const personaEvent: Allowed = (value) => {
  const { kind } = Object(value) as { readonly kind?: unknown };
  return eventForms.get(kind)?.(value) === true && hasAmounts(value);
};

/** Its amounts are those of its currency. */
function hasAmounts(value: unknown): boolean {
  const { amount, upTo, roundTo, foreign: other, ...members } = value as Readonly<Partial<Record<string, unknown>>>;
  const code = (other as { readonly currency?: unknown } | undefined)?.currency ?? 'NOK';
  const { places = [], purchases = [], fare = [], lodging = [] } = members;
  const parts = [places, purchases, fare, lodging].flat() as unknown[];
  return (
    parts.every(hasAmounts) &&
    [amount, upTo, roundTo].every(
      (each) =>
        typeof each !== 'string' ||
        (typeof code === 'string' && isCurrency(code) && typeof parseAmount(each, code) !== 'string'),
    )
  );
}

const ofOccasion: Readonly<Record<string, Allowed>> = {
  event: words,
  days: numberFrom1(10),
  amount: formed(/^-?\d{1,10}\.\d{2}$/),
  party: object(payee),
};
const occasions = Object.entries(membersOfOccasion).map(([what, { must }]) =>
  object({
    on: bankDate,
    what: oneOf([what]),
    ...Object.fromEntries(must.map((member) => [member, ofOccasion[member] ?? never])),
  }),
);

/** A Persona (engine/life). */
export const persona = object({
  name: words,
  description: words,
  netPerYear: decimal,
  occasions: optional(listOf((value) => occasions.some((each) => each(value)))),
  household: optional(
    listOf(
      object({
        role: oneOf(roles),
        name: words,
        holder: optional(object({ customerNumber: words, name: words })),
        balance: decimal,
        creditLine: optional(decimal),
      }),
    ),
  ),
  events: listOf(personaEvent),
});
