import type { TransactionDetails } from '../../accounts/rules/transaction-details.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { ore } from './event-amounts.ts';
import type { InterestOrFee, LifeEvent, Salaries } from './persona.ts';

/** Money of an event that is booked. */
export interface EventBooking {
  /** The other account of the household, on which the opposite is booked. */
  readonly to?: string | undefined;
  /** Øre, credit positive. */
  readonly amount: bigint;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  readonly details: TransactionDetails;
}

/**
 * What happens. `post` books money; a debit needs funds unless the bank itself takes it. `reserve` announces a
 * purchase, which `book` or `release` ends. The engine has the rest: the bank pays standing orders itself, salaries are
 * a bulk payment, and interest and fees are calculated from the ledger.
 */
export type LifeAction =
  | ({ readonly kind: 'post'; readonly needsFunds: boolean } & EventBooking)
  | {
      readonly kind: 'reserve';
      readonly amount: bigint;
      readonly valueDate: LocalDate;
      readonly details: TransactionDetails;
    }
  | ({ readonly kind: 'book' } & EventBooking)
  | { readonly kind: 'release' }
  | ({
      readonly kind: 'order';
      /** The day that a closed day may have moved. */
      readonly wanted: LocalDate;
      /** No run tries it after this one. */
      readonly isLast?: boolean;
    } & EventBooking)
  /** The account moves to another bank. */
  | { readonly kind: 'move'; readonly details: TransactionDetails }
  | { readonly kind: 'pay'; readonly event: Salaries; readonly date: LocalDate }
  | { readonly kind: 'interest or fee'; readonly event: InterestOrFee; readonly date: LocalDate }
  /** `most`: the most that leaves at once. `income`: what the account gets on this day before. */
  | ({ readonly kind: 'left over'; readonly income: bigint } & Readonly<Record<'keeps' | 'most', bigint | null>> &
      Omit<EventBooking, 'amount'>);

/** What an action moves, in øre: nothing if nobody knows yet. */
export function amountOf(action: LifeAction): bigint {
  if (action.kind === 'pay') return -salariesOf(action.event);
  return 'amount' in action ? action.amount : 0n;
}

/** What all employees get, in øre. */
export function salariesOf({ payees }: Salaries): bigint {
  return payees.reduce((sum, { amount }) => sum + ore(amount), 0n);
}

/** An event of a life at its time. */
export interface Happening {
  /** The event of the persona. */
  readonly event: string;
  /** One in a life; a purchase's booking or release has that of its reservation. */
  readonly key: string;
  readonly at: Instant;
  readonly action: LifeAction;
  /** Whether its day is known before, so that a forecast names it. */
  readonly isKnown: boolean;
  /** The key of a purchase without which it does not happen: a refund has one, and a purchase on a trip. */
  readonly hangsOn?: string;
  /**
   * The key of a purchase with which it does not happen: that of the ticket, for what is bought at home on the days of
   * the trip.
   */
  readonly unless?: string;
  /** Others hang on it. */
  readonly isAwaited?: boolean;
}

/** What a transaction of a life is. */
export interface Meaning {
  readonly event: LifeEvent;
  /** The key of the purchase that it pays back. */
  readonly refundOf: string | null;
  /** The place of its trip. */
  readonly trip: string | null;
}

/** Whether it ends a purchase; then nothing happens if the purchase has ended. */
export function isEnd({ action }: Happening): boolean {
  return action.kind === 'book' || action.kind === 'release';
}
