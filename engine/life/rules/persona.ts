import type { LocalDate } from '../../values/local-date.ts';

/**
 * The accounts of a household, in the order in which money goes through them; `own-1` and `own-2` are of the adults.
 */
export const roles = ['own-1', 'own-2', 'shared', 'own-3', 'own-4', 'savings', 'loan'] as const;

/**
 * Bakeries close on `high holidays`: the first days of the new year, Easter, Whitsun and Christmas, and Good Friday;
 * grocers on all `holidays` and Sundays; restaurants and Vinmonopolet on Christmas Eve too; offices on `weekends`, all
 * holidays and Christmas Eve.
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

/**
 * Who lives on an account: the file in fixtures/personas, or one of the user's (docs/life.md). Amounts are decimal NOK
 * with a sign.
 */
export type Persona = Omit<PersonaFile, '$schema' | 'events' | 'occasions'> & {
  readonly events: readonly LifeEvent[];
  readonly occasions?: readonly Occasion[];
};

/**
 * A persona as it is written (api/bodies/persona.ts has its schema, which says what each member is). Amounts are
 * decimals with a sign.
 */
export interface PersonaFile {
  readonly $schema?: string;
  readonly name: string;
  readonly description: string;
  readonly netPerYear: string;
  readonly household?: readonly HouseholdAccount[];
  readonly occasions?: readonly OccasionMembers[];
  readonly rises?: readonly Rise[];
  readonly events: readonly EventMembers[];
}

interface OccasionMembers {
  readonly on: LocalDate;
  readonly what: keyof typeof membersOfOccasion;
  readonly event?: string;
  readonly days?: number;
  readonly amount?: string;
  readonly party?: Party;
}

/** What an event of any kind can have. */
interface EventMembers extends AmountRange {
  readonly event: string;
  readonly kind: Kind;
  readonly when: WhenMembers;
  readonly amount?: string;
  readonly on?: Role;
  readonly to?: Role;
  readonly category?: Category;
  readonly text?: string;
  readonly texts?: readonly string[];
  readonly seasons?: readonly Season[];
  readonly parties?: readonly Party[];
  readonly circle?: number;
  readonly party?: Party;
  readonly payees?: readonly (Party & { readonly amount: string })[];
  readonly hasKid?: boolean;
  readonly isKidWrong?: boolean;
  readonly againAfterDays?: number;
  readonly drawnWith?: string;
  readonly mandateId?: string;
  readonly recurring?: Recurring;
  readonly card?: CardKind;
  readonly mcc?: string;
  readonly shops?: readonly string[];
  readonly places?: readonly Place[];
  readonly keeps?: string;
  readonly refundsPerYear?: number;
  readonly reserved?: string;
  readonly lapsesAfterDays?: number;
  readonly code?: string;
  readonly rate?: string;
}

/** Where trips go. */
interface Place {
  readonly place: string;
  /** The fewest and the most. */
  readonly days: readonly [number, number];
  readonly perDay: number;
  readonly purchases: readonly AmountsInShops[];
  readonly fare: AmountsInShops;
  readonly lodging?: AmountsInShops;
}

/** What a TPP must survive, on a date; `event` is one of the persona's. */
export type Occasion = { [What in keyof typeof membersOfOccasion]: OccasionOf<What> }[keyof typeof membersOfOccasion];
type OccasionOf<What extends keyof typeof membersOfOccasion> = { readonly what: What } & Having<
  OccasionMembers,
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
export interface HouseholdAccount {
  readonly role: Role;
  readonly name: string;
  /** The holder of the shared account when left out. */
  readonly holder?: { readonly customerNumber: string; readonly name: string };
  readonly balance: string;
  readonly creditLine?: string;
}

/** A yearly rise of the transfers, card purchases and salaries of some categories, in NOK (rules.md L14). */
export interface Rise {
  readonly since: LocalDate;
  /** Per cent a year: `3.50`. */
  readonly percent: string;
  readonly categories: readonly Category[];
  /** In months. */
  readonly paidLater?: number;
}

/** On which days of a year a text is sent, and what is sent in its place on others. */
export interface Season {
  readonly text: string;
  /** Both days are MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly instead: string;
}

/**
 * Amounts of one event; each time it is another one between the ends. `times`: the nights of a stay, which no file has.
 */
export interface Amounts extends AmountRange {
  readonly amount: string;
  readonly times?: number;
}

/** How an amount differs from time to time. */
interface AmountRange {
  readonly upTo?: string;
  readonly roundTo?: string;
  /** Per cent of the amount, January or Monday first. */
  readonly byMonth?: readonly number[];
  readonly byWeekday?: readonly number[];
  /** `rate`: NOK for one unit. */
  readonly foreign?: { readonly currency: string; readonly rate: string };
}

/** Money that comes or goes at once, booked on a banking day. Without `parties` it is the bank's own. */
export type TransferEvent = EventOf<'transfer', Dated | Counted>;

/** A purchase with the card of the account: reserved at once, booked by the lags of its kind of card. */
export type CardPurchase = EventOf<'card', Dated | Counted> & Amounts;

/**
 * Journeys abroad, one in each of these months, to one of the places: the ticket is bought before, and on the days
 * there the card is used abroad only (rules.md L9).
 */
export type Trips = EventOf<'trip', Having<WhenMembers, 'months'>>;

export interface AmountsInShops extends Amounts {
  readonly shops: readonly string[];
  readonly mcc?: string;
}

/** How something comes again by agreement. */
export interface Recurring {
  readonly every: (typeof rhythms)[number];
  readonly kind: (typeof agreements)[number];
}

/** A payment every month, kept by the bank as a standing order. */
export type StandingOrderEvent = EventOf<'standing order', Dated>;

/** A bulk payment with a transfer to each employee. */
export type Salaries = EventOf<'bulk', Dated>;

/** Interest or a fee at the end of a month or a year; nothing if it comes to zero. */
export type InterestOrFee = EventOf<'interest' | 'overdraft interest' | 'fee for failed orders', Dated>;

/**
 * What is left on the account as the day begins goes to savings, or to creditors, in whole thousands, at most `amount`
 * (rules.md L9f). Without `keeps` only a made past is levelled.
 */
type LeftOver = EventOf<'left over', Dated>;

/** An event on another account of the household. */
type Elsewhere = Named<'elsewhere', Dated>;

interface WhenMembers {
  readonly days?: readonly number[];
  readonly rule?: 'preceeding' | 'following' | 'month end';
  readonly months?: readonly number[];
  readonly perMonth?: number;
  readonly perYear?: number;
  readonly everyOpenDay?: true;
  readonly everyWeek?: true;
  readonly weekdays?: readonly number[];
  readonly closedOn?: ClosedOn;
}

/** A day of each month, or of some months. */
export type Dated = Having<WhenMembers, 'days' | 'rule', 'months'>;

/**
 * So many times in a month, which may have its season, or in a year, on days that follow from the seed. Nobody knows
 * them before.
 */
export type Counted =
  | Having<WhenMembers, 'perMonth', 'months' | 'closedOn' | 'weekdays'>
  | Having<WhenMembers, 'perYear', 'closedOn' | 'weekdays'>
  | Having<WhenMembers, 'everyOpenDay', 'closedOn'>
  | Having<WhenMembers, 'everyWeek', 'closedOn'>;

export type ClosedOn = (typeof closedOn)[number];

/** BBAN with a mod-11 check digit, or an IBAN abroad. Without an account the transaction names none. */
export interface Party {
  readonly name: string;
  readonly account?: string;
}

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
 * The persona as one account of its household lives it: with the events of that account alone, in their places. An
 * account that is alone has what the adults do, but what goes between their accounts.
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
