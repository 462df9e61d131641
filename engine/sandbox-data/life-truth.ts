import type { Period } from '../accounts/rows/entries.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { ownChannel } from '../life/bank-orders.ts';
import { type Living, requireLife } from '../life/lives.ts';
import { eventIn, ore, priceOf } from '../life/rules/event-amounts.ts';
import { type Meaning, salariesOf } from '../life/rules/happening.ts';
import { again } from '../life/rules/event-on.ts';
import { longestRefund } from '../life/rules/life-on.ts';
import { spared } from '../life/rules/past.ts';
import { type Category, isDated, type Recurring } from '../life/rules/persona.ts';
import { addDays, type LocalDate, monthNumber } from '../values/local-date.ts';
import { type Amount, absolute } from '../values/money.ts';
import { type BookedEntry, inspectAccount } from './inspect-accounts.ts';

/** What a booked transaction is (docs/life.md). All members are null if no life made it. */
interface Truth {
  readonly transactionId: string;
  readonly bookingDate: LocalDate;
  readonly amount: Amount;
  readonly text: string;
  readonly event: string | null;
  readonly category: Category | null;
  /** What each time costs. */
  readonly subscription: Amount | null;
  /** How it comes again by agreement; null if it does not. */
  readonly recurring: Recurring | null;
  /** The name and the category code (ISO 18245) of the shop of a card purchase. */
  readonly merchant: string | null;
  readonly mcc: string | null;
  /** The transactionId of the purchase that it pays back. */
  readonly refundOf: string | null;
  readonly trip: string | null;
  /** The number of the household's other account. */
  readonly ownAccount: string | null;
  /**
   * Whether a forecast made before would list it on this account (rules.md D3e, L11): as planned, or as an attempt of a
   * run.
   */
  readonly isPlanned: boolean;
  /** Whether it is a payment: a standing order, a bulk payment or one of a TPP, in a made past too (rules.md L11b). */
  readonly isPayment: boolean;
  /** The payment that a run paid. Null if there is none: a made past has no payments of its own. */
  readonly paymentId: string | null;
}

const noTruth = {
  event: null,
  category: null,
  subscription: null,
  recurring: null,
  merchant: null,
  mcc: null,
  refundOf: null,
  trip: null,
  ownAccount: null,
  isPlanned: false,
};

/**
 * What each booked transaction of an account with a life is, the oldest first. Unknown account, or one without a life:
 * NOT_FOUND.
 */
export async function truthOf(bank: BankContext, number: string, period: Period): Promise<Truth[]> {
  const living = await bank.ledger.read((reader) => requireLife(bank, reader, number));
  const { entries } = await inspectAccount(bank, number, period);
  // A refund may be of a purchase before the period.
  const earlier =
    period.from === null
      ? []
      : (await inspectAccount(bank, number, { from: addDays(period.from, -longestRefund), to: period.from })).entries;
  const byKey = new Map([...earlier, ...entries].map(({ event, transactionId }) => [event, transactionId]));
  return entries.flatMap((entry): Truth[] => {
    const { transactionId, bookingDate, amount, text, paymentId } = entry;
    if (transactionId === null) return [];
    const shown = { transactionId, bookingDate, amount, text, paymentId };
    const meaning = meaningOf(living, entry);
    if (meaning === null) return [{ ...shown, isPayment: paymentId !== null, ...noTruth }];
    const { event, refundOf, trip } = meaning;
    const { category = 'other' } = event;
    return [
      {
        ...shown,
        isPayment: event.kind === 'standing order' || event.kind === 'bulk',
        event: event.event,
        category,
        subscription: category === 'subscription' && refundOf === null ? paidPrice(event, amount) : null,
        recurring: refundOf === null ? (event.recurring ?? null) : null,
        ...sellerIn(event, text),
        refundOf: refundOf === null ? null : (byKey.get(refundOf) ?? null),
        trip,
        ownAccount: otherAccount(living, event),
        isPlanned: isNamedBefore(living, entry.event, event),
      },
    ];
  });
}

/** Whose name stands in the text of a purchase: without the payment service, the address and the number of the shop. */
function sellerIn(event: Meaning['event'], text: string): Pick<Truth, 'merchant' | 'mcc'> {
  const abroad =
    event.kind === 'trip' ? event.places.flatMap(({ purchases, fare, lodging }) => [...purchases, fare, lodging]) : [];
  for (const one of event.kind === 'card' ? [event] : abroad) {
    const shop = one?.shops.find((each) => text.includes(each));
    if (shop === undefined) continue;
    const merchant = shop.replace(/^[A-Z]+\*/, '').replace(/\.EXAMPLE$| \d+$/, '');
    return { merchant, mcc: one?.mcc ?? null };
  }
  return { merchant: null, mcc: null };
}

/**
 * The price of a subscription: in NOK the amount paid, because a price can rise (rules.md L14); in another currency
 * that of its persona.
 */
function paidPrice(event: Meaning['event'], paid: Amount): Amount | null {
  const price = priceOf(event);
  return price?.currency === paid.currency ? absolute(paid) : price;
}

/**
 * A transfer is listed on the account that it leaves. Nobody knows what is paid twice by mistake, and what a made past
 * pays to creditors at once.
 */
function isNamedBefore({ row }: Living, key: string | null, event: Meaning['event']): boolean {
  const isKnown = event.kind !== 'card' && isDated(event.when);
  const comesHere = 'to' in event && event.to !== undefined && event.to === row.role;
  return isKnown && !comesHere && ![spared, again].some((end) => key?.endsWith(end));
}

/** The household's other account of a transfer. */
function otherAccount({ row, course }: Living, event: Meaning['event']): string | null {
  const to = 'to' in event ? event.to : undefined;
  if (to === undefined || row.role === null) return null;
  const wanted = row.role === to ? (event.on ?? 'shared') : to;
  return course.life.others.find(({ role }) => role === wanted)?.account ?? null;
}

function meaningOf(
  { course, persona: { whole } }: Living,
  { event: key, channel, amount, text, bookingDate }: BookedEntry,
): Meaning | null {
  const only = (event: Meaning['event'] | undefined): Meaning | null =>
    event === undefined ? null : { event, refundOf: null, trip: null };
  if (key !== null) return course.meaningOf(key, whole);
  if (channel !== ownChannel.id) return null;
  // The bank keeps orders and salaries as payments.
  const moved = absolute(amount).minor;
  const events = whole.events.map((_, index) => eventIn(whole, index, monthNumber(bookingDate)));
  return only(
    events.find((event) =>
      event.kind === 'standing order'
        ? ore(event.amount) === moved && (amount.minor > 0n || event.party.name === text)
        : event.kind === 'bulk' && salariesOf(event) === moved,
    ) ?? events.find(({ kind }) => kind === 'bulk'),
  );
}
