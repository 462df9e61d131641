import type { ObjectOf, ValueOf } from '../../values/form.ts';
import type {
  cardKinds,
  categories,
  closedOn,
  householdAccount,
  Kind,
  membersOf,
  membersOfAnyOccasion,
  membersOfEvent,
  membersOfOccasion,
  party,
  personaForm,
  range,
  rise,
  roles,
  when,
} from './persona-form.ts';

/** Who lives on an account: the file in fixtures/personas, or one of the user's (docs/life.md). Amounts are decimal NOK with a sign. */
export type Persona = Omit<ValueOf<typeof personaForm>, '$schema' | 'events' | 'occasions'> & {
  readonly events: readonly LifeEvent[];
  readonly occasions?: readonly Occasion[];
};

/** What a TPP must survive, on a date; `event` is one of the persona's. */
export type Occasion = { [What in keyof typeof membersOfOccasion]: OccasionOf<What> }[keyof typeof membersOfOccasion];
type OccasionOf<What extends keyof typeof membersOfOccasion> = { readonly what: What } & Having<
  ObjectOf<typeof membersOfAnyOccasion>,
  'on' | (typeof membersOfOccasion)[What]['must'][number]
>;

/** The members that an object of this form must have, and may have. */
type Having<Form, Must extends keyof Form, May extends keyof Form = never> = Required<Pick<Form, Must>> &
  Pick<Form, May>;

/** What happens to the account, by the way that money moves. */
export type LifeEvent =
  | TransferEvent
  | CardPurchase
  | Trips
  | StandingOrderEvent
  | Salaries
  | InterestOrFee
  | LeftOver
  | Elsewhere;

type EventMembers = ObjectOf<typeof membersOfEvent>;

/** An event of a kind: with the members that the kind must have, and those that it may have. */
type EventOf<Which extends Kind, When> = Named<Which, When> &
  Having<EventMembers, (typeof membersOf)[Which]['must'][number], (typeof membersOf)[Which]['may'][number]>;

type Named<Which, When> = Pick<EventMembers, 'event' | 'category' | 'on' | 'recurring'> & {
  readonly kind: Which;
  readonly when: When;
};

/** The accounts of a household; `own-1` and `own-2` are of the adults. */
export type Role = (typeof roles)[number];

/** An account of a household, as it is made if none is given. */
export type HouseholdAccount = ValueOf<typeof householdAccount>;

/** A yearly rise of the transfers, card purchases and salaries of some categories, in NOK (rules.md L14). */
export type Rise = ValueOf<typeof rise>;

/** On which days of a year a text is sent, and what is sent in its place on others. */
export type Season = NonNullable<EventMembers['seasons']>[number];

/** Amounts of one event; each time it is another one between the ends. `times`: the nights of a stay, which no file has. */
export type Amounts = ObjectOf<typeof range> & { readonly amount: string; readonly times?: number };

/** Money that comes or goes at once, booked on a banking day. Without `parties` it is the bank's own. */
export type TransferEvent = EventOf<'transfer', Dated | Counted>;

/** A purchase with the card of the account: reserved at once, booked by the lags of its kind of card. */
export type CardPurchase = EventOf<'card', Dated | Counted> & Amounts;

/**
 * Journeys abroad, one in each of these months, to one of the places: the ticket is bought before, and on the days there the card is used
 * abroad only (rules.md L9).
 */
export type Trips = EventOf<'trip', Having<WhenMembers, 'months'>>;

export type AmountsInShops = Amounts & Pick<CardPurchase, 'shops' | 'mcc'>;

/** How something comes again by agreement. */
export type Recurring = NonNullable<EventMembers['recurring']>;

/** A payment every month, kept by the bank as a standing order. */
export type StandingOrderEvent = EventOf<'standing order', Dated>;

/** A bulk payment with a transfer to each employee. */
export type Salaries = EventOf<'bulk', Dated>;

/** Interest or a fee at the end of a month or a year; nothing if it comes to zero. */
export type InterestOrFee = EventOf<'interest' | 'overdraft interest' | 'fee for failed orders', Dated>;

/**
 * What is left on the account as the day begins goes to savings, or to creditors, in whole thousands, at most `amount` (rules.md L9f). Without
 * `keeps` only a made past is levelled.
 */
type LeftOver = EventOf<'left over', Dated>;

/** An event on another account of the household. */
type Elsewhere = Named<'elsewhere', Dated>;

type WhenMembers = ValueOf<typeof when>;

/** A day of each month, or of some months. */
export type Dated = Having<WhenMembers, 'days' | 'rule', 'months'>;

/** So many times in a month, which may have its season, or in a year, on days that follow from the seed. Nobody knows them before. */
export type Counted =
  | Having<WhenMembers, 'perMonth', 'months' | 'closedOn' | 'weekdays'>
  | Having<WhenMembers, 'perYear', 'closedOn' | 'weekdays'>
  | Having<WhenMembers, 'everyOpenDay', 'closedOn'>
  | Having<WhenMembers, 'everyWeek', 'closedOn'>;

export type ClosedOn = (typeof closedOn)[number];

/** BBAN with a mod-11 check digit, or an IBAN abroad. Without an account the transaction names none. */
export type Party = ObjectOf<typeof party>;

export type CardKind = (typeof cardKinds)[number];

/** Whether the day of an event is known before. */
export function isDated(when: LifeEvent['when']): when is Dated {
  return 'days' in when;
}

export type Category = (typeof categories)[number];

/** The seed and the number of an account: with its persona and the calendar they determine a life. */
export interface Life {
  readonly persona: Persona;
  readonly seed: string;
  /** BBAN or IBAN. */
  readonly account: string;
  /** The holder, as transactions name him. */
  readonly holder: string;
  /** Which account of its household it is, if it has one. */
  readonly role: Role | null;
  /** The other accounts of its household. */
  readonly others: readonly (Pick<Life, 'account' | 'holder'> & { readonly role: Role })[];
}

/**
 * The persona as one account of its household lives it: with the events of that account alone, in their places. An account that is alone has what
 * the adults do, but what goes between their accounts.
 */
export function livedAs(persona: Persona, role: Role | null): Persona {
  const alone: readonly Role[] = ['shared', 'own-1', 'own-2'];
  const isMine = (event: LifeEvent): boolean => {
    const on = event.on ?? 'shared';
    if (role !== null) return on === role;
    if ((event.kind === 'left over' || event.kind === 'interest') && on !== 'shared') return false;
    return alone.includes(on) && !('to' in event && event.to !== undefined && !['savings', 'loan'].includes(event.to));
  };
  const when = { days: [1], rule: 'preceeding', months: [] } as const;
  const events = persona.events.map((event) =>
    isMine(event)
      ? event
      : { event: event.event, category: event.category ?? 'other', kind: 'elsewhere' as const, when },
  );
  return { ...persona, events };
}
