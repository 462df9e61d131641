import type { LocalDate } from '../../values/local-date.ts';
import type { ExecutionRule } from '../../time/rules/banking-calendar.ts';

/** Who lives on an account: the file in fixtures/personas, or one of the user's (docs/life.md). Amounts are decimal NOK with a sign. */
export interface Persona {
  readonly name: string;
  readonly description: string;
  /** What a year nets to, about, if nothing fails for lack of funds. */
  readonly netPerYear: string;
  /** The accounts of a household beside the shared one, in the order in which money goes through them (rules.md L12). */
  readonly household?: readonly HouseholdAccount[];
  readonly events: readonly LifeEvent[];
  /** What happens once, on a date (rules.md L13). */
  readonly occasions?: readonly Occasion[];
  /** What costs or pays more each year (rules.md L14). A category has the first rise that names it. */
  readonly rises?: readonly Rise[];
}

/** A yearly rise of the transfers, card purchases and salaries of some categories, in NOK. */
export interface Rise {
  /** From the month of this day on, amounts are those of the file. They rise in this month of each later year, and were lower before. */
  readonly since: LocalDate;
  readonly percent: string;
  readonly categories: readonly Category[];
  /** The rise is paid so many months later, with what was missing since then. */
  readonly paidLater?: number;
}

/** What a TPP must survive, on a date; `event` is one of the persona's. */
export type Occasion = { readonly on: LocalDate } & (
  | { readonly what: 'late'; readonly event: string; readonly days: number }
  | { readonly what: 'charged twice'; readonly event: string }
  | { readonly what: 'new price'; readonly event: string; readonly amount: string }
  | { readonly what: 'stopped'; readonly event: string }
  | { readonly what: 'card replaced'; readonly days: number }
  | { readonly what: 'account moved'; readonly party: Required<Party> }
);

/** What happens to the account, by the way that money moves. */
export type LifeEvent =
  | Transfer
  | CardPurchase
  | Trips
  | StandingOrder
  | Salaries
  | InterestOrFee
  | LeftOver
  | Elsewhere;

/** The accounts of a household, in the order in which money goes through them; `own-1` and `own-2` are of the adults. */
export const roles = ['own-1', 'own-2', 'shared', 'own-3', 'own-4', 'savings', 'loan'] as const;
export type Role = (typeof roles)[number];

/** An account of a household, as it is made if none is given. */
export interface HouseholdAccount {
  readonly role: Role;
  readonly name: string;
  /** Left out: the holder of the shared account. */
  readonly holder?: { readonly customerNumber: string; readonly name: string };
  readonly balance: string;
  readonly creditLine?: string;
}

interface Named {
  /** On which account of a household; left out: on the shared one. */
  readonly on?: Role;
  /** Unique in its persona: `salary`. */
  readonly event: string;
  /** What it is to a reader of the account (docs/life.md): `groceries`; left out: `other`. */
  readonly category?: Category;
}

/** Amounts of one event; each time it is another one between the ends. */
export interface Amounts {
  readonly amount: string;
  /** The other end; left out: the amount is always the same. */
  readonly upTo?: string;
  /** Amounts go from the smaller end in these steps: cash comes in hundreds. */
  readonly roundTo?: string;
  /** Per cent of the amount in each month, January first. */
  readonly byMonth?: readonly number[];
  /** Per cent of the amount on each weekday, Monday first. */
  readonly byWeekday?: readonly number[];
  readonly foreign?: ForeignCurrency;
  /** A multiple of the amount: the nights of a stay. The engine sets it; no file has it. */
  readonly times?: number;
}

/** Money that comes or goes at once, booked on a banking day. */
export interface Transfer extends Named, Amounts {
  readonly kind: 'transfer';
  readonly when: Dated | Counted;
  /** `{day}` in it is the day on which it happens, as `24.12`; `{number}` is the number of the invoice. */
  readonly text?: string;
  /** In place of `text`: each time has one of them, as messages between people. Within a year none comes again before all others have come. */
  readonly texts?: readonly string[];
  /** The other parties; each time has one of them, some more often than others. None: the bank itself. */
  readonly parties?: readonly Party[];
  /** How many of the parties an account deals with, the same in all lists of one length; left out: all. */
  readonly circle?: number;
  /** Which account of the household it goes to; without that account it goes to one of the parties. */
  readonly to?: Role;
  /** A KID with a mod-10 check digit: of the customer and the invoice. */
  readonly hasKid?: boolean;
  /** The payer mistyped the KID: its check digit is wrong. */
  readonly isKidWrong?: boolean;
  /** The payer pays again so many days later, by mistake. */
  readonly againAfterDays?: number;
  /** An event of the same days: each time is at its time, and each amount is to the other's as their `amount`s are. A fee follows its sales. */
  readonly drawnWith?: string;
  /** AvtaleGiro: the mandate of the account holder. */
  readonly mandateId?: string;
  /** The ISO code of the bank transaction. */
  readonly code?: string;
}

/** A purchase with the card of the account: reserved at once, booked by the lags of its kind of card. */
export interface CardPurchase extends Named, Amounts {
  readonly kind: 'card';
  readonly when: Dated | Counted;
  readonly card: CardKind;
  readonly shops: readonly string[];
  /** What is reserved if it is not the amount: more for fuel, less for a hotel. */
  readonly reserved?: string;
  /** The reservation is given up after so many days, and nothing is booked. */
  readonly lapsesAfterDays?: number;
  /** How many of a year's purchases the shop pays back, in whole or in part (rules.md L9). */
  readonly refundsPerYear?: number;
  /** The ISO code in the place of that of its card. */
  readonly code?: string;
}

/**
 * Journeys abroad, one in each of these months, to one of the places: the ticket is bought before, and on the days there the card is used
 * abroad only (rules.md L9).
 */
export interface Trips extends Named {
  readonly kind: 'trip';
  readonly when: { readonly months: readonly number[] };
  readonly places: readonly TripPlace[];
}

interface TripPlace {
  readonly place: string;
  /** The fewest and the most days there. */
  readonly days: readonly [number, number];
  /** Purchases a day, at most; one at least. */
  readonly perDay: number;
  /** What is bought there: each purchase is one of them. */
  readonly purchases: readonly AmountsInShops[];
  readonly fare: AmountsInShops;
  /** A night; all are paid on the last day. */
  readonly lodging?: AmountsInShops;
}

export interface AmountsInShops extends Amounts {
  readonly shops: readonly string[];
}

/** A payment every month, kept by the bank as a standing order. */
export interface StandingOrder extends Named {
  readonly kind: 'standing order';
  readonly when: Dated;
  readonly amount: string;
  readonly text: string;
  readonly party: Party;
  readonly to?: Role;
}

/** A bulk payment with a transfer to each employee. */
export interface Salaries extends Named {
  readonly kind: 'bulk';
  readonly when: Dated;
  readonly payees: readonly (Party & { readonly amount: string })[];
  readonly text: string;
}

/** Interest or a fee at the end of a month or a year; nothing if it comes to zero. */
export interface InterestOrFee extends Named {
  readonly kind: 'interest' | 'overdraft interest' | 'fee for failed orders';
  readonly when: Dated;
  readonly text: string;
  readonly code?: string;
  /** Per cent a year, or the fee for each order that ended for lack of funds. */
  readonly rate: string;
}

/** What is left on the account as the day begins goes to savings, or to creditors, in whole thousands (rules.md L9). */
export interface LeftOver extends Named {
  readonly kind: 'left over';
  readonly when: Dated;
  /** What stays on the account. Left out: only a made past is levelled. */
  readonly keeps?: string;
  readonly text: string;
  readonly party: Party;
  readonly to?: Role;
  readonly code?: string;
}

/** An event on another account of the household. */
interface Elsewhere extends Named {
  readonly kind: 'elsewhere';
  readonly when: Dated;
}

/** A day of each month, or of some months. */
export interface Dated {
  /** 1 to 31. If there are several, an account keeps one of them. In a shorter month: its last day. */
  readonly days: readonly number[];
  /** What replaces a closed day. `month end`: 31 is the month's last banking day, or the Saturday that ends the month (register 25). */
  readonly rule: ExecutionRule | 'month end';
  /** 1 to 12; left out: all. */
  readonly months?: readonly number[];
}

/** So many times in a month or in a year, on days that follow from the seed. Nobody knows them before. */
export type Counted = (
  | {
      readonly perMonth: number;
      /** 1 to 12: its season; left out: all. */
      readonly months?: readonly number[];
    }
  | { readonly perYear: number }
  /** On each day on which shops are open; a transfer comes on the next banking day. */
  | { readonly everyOpenDay: true }
) & {
  /** Days on which the seller is closed: what falls on one happens on the last open day before. */
  readonly closedOn?: ClosedOn;
};

/**
 * Cafés close on `high holidays`: the first days of the new year, Easter, Whitsun and Christmas, Good Friday and Christmas Eve; shops on
 * all `holidays` and Sundays; offices on `weekends` and holidays.
 */
export const closedOn = ['high holidays', 'holidays', 'weekends'] as const;
export type ClosedOn = (typeof closedOn)[number];

export interface Party {
  readonly name: string;
  /** BBAN with a mod-11 check digit, or an IBAN abroad; left out: the transaction names no account. */
  readonly account?: string;
}

interface ForeignCurrency {
  readonly currency: string;
  /** NOK for one unit; each time it is up to two per cent higher or lower. */
  readonly rate: string;
}

/** `domestic`: the national system (BankAxept); `visa`: an international card at home or online; `foreign`: abroad. */
export type CardKind = 'domestic' | 'visa' | 'foreign';

/** Whether the day of an event is known before. */
export function isDated(when: LifeEvent['when']): when is Dated {
  return 'days' in when;
}

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

export type Category = (typeof categories)[number];

/** The seed and the number of an account: with its persona and the calendar they determine a life. */
export interface Life {
  readonly persona: Persona;
  readonly seed: string;
  /** BBAN or IBAN. */
  readonly account: string;
  /** The holder, as transactions name him. */
  readonly holder: string;
  /** Which account of its household it is; null: it has none. */
  readonly role: Role | null;
  /** The other accounts of its household. */
  readonly others: readonly OtherAccount[];
}

interface OtherAccount extends Pick<Life, 'account' | 'holder'> {
  readonly role: Role;
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
  const when = { days: [1], rule: 'preceding', months: [] } as const;
  const events = persona.events.map((event) =>
    isMine(event)
      ? event
      : { event: event.event, category: event.category ?? 'other', kind: 'elsewhere' as const, when },
  );
  return { ...persona, events };
}
