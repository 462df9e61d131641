import type { ExecutionRule } from '../../time/rules/banking-calendar.ts';

/** Who lives on an account: the file in fixtures/personas, or one of the user's (docs/life.md). Amounts are decimal NOK with a sign. */
export interface Persona {
  readonly name: string;
  readonly description: string;
  /** What a year nets to, within a tenth, if nothing fails for lack of funds. */
  readonly netPerYear: string;
  readonly events: readonly LifeEvent[];
}

/** What happens to the account, by the way that money moves. */
export type LifeEvent = Transfer | CardPurchase | StandingOrder | Salaries | InterestOrFee;

interface Named {
  /** Unique in its persona: `salary`. */
  readonly event: string;
}

/** Money that comes or goes at once, booked on a banking day. */
export interface Transfer extends Named {
  readonly kind: 'transfer';
  readonly when: Dated | Counted;
  readonly amount: string;
  /** Set: each time it is another amount from `amount` to this one. */
  readonly upTo?: string;
  readonly text?: string;
  /** The other parties; each time has one of them. None: the bank itself. */
  readonly parties?: readonly Party[];
  /** A KID with a mod-10 check digit: of the customer and the month. */
  readonly hasKid?: boolean;
  /** AvtaleGiro: the mandate of the account holder. */
  readonly mandateId?: string;
  /** The ISO code of the bank transaction. */
  readonly code?: string;
  readonly foreign?: ForeignCurrency;
}

/** A purchase with the card of the account: reserved at once, booked by the lags of its kind of card. */
export interface CardPurchase extends Named {
  readonly kind: 'card';
  readonly when: Dated | Counted;
  readonly card: CardKind;
  /** Positive: a refund, which is not reserved. */
  readonly amount: string;
  readonly upTo?: string;
  readonly shops: readonly string[];
  /** What is reserved if it is not the amount: more for fuel, less for a hotel. */
  readonly reserved?: string;
  /** The reservation is given up after so many days, and nothing is booked. */
  readonly lapsesAfterDays?: number;
  readonly foreign?: ForeignCurrency;
  /** The ISO code in the place of that of its card. */
  readonly code?: string;
}

/** A payment every month, kept by the bank as a standing order. */
export interface StandingOrder extends Named {
  readonly kind: 'standing order';
  readonly when: Dated;
  readonly amount: string;
  readonly text: string;
  readonly party: Party;
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
export type Counted = ({ readonly perMonth: number } | { readonly perYear: number }) & {
  /** Closed on Sundays: then it happens on the Saturday before. */
  readonly notOnSundays?: boolean;
};

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
export function isDated(when: Dated | Counted): when is Dated {
  return 'days' in when;
}

/** The seed and the number of an account: with its persona and the calendar they determine a life. */
export interface Life {
  readonly persona: Persona;
  readonly seed: string;
  /** BBAN or IBAN. */
  readonly account: string;
  /** The holder, as transactions name him. */
  readonly holder: string;
}
