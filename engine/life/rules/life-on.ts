import { type BankingCalendar, nextOrSame } from '../../time/rules/banking-calendar.ts';
import { bothTimes, type RunSchedule } from '../../time/rules/settlement-run.ts';
import { assert } from '../../values/assert.ts';
import { addDays, dateInMonth, daysBetween, type LocalDate, monthNumber } from '../../values/local-date.ts';
import { longestLag } from './card-lags.ts';
import { type Chance, chanceOf, purposes } from './chance.ts';
import { eventIn } from './event-amounts.ts';
import { again, EventWriter } from './event-on.ts';
import { amountOf, type Happening, isEnd, type Meaning } from './happening.ts';
import {
  type Almanac,
  type Count,
  type CountedEvent,
  datesIn,
  type DatedEvent,
  keptDay,
  timesOf,
  type Trip,
  tripIn,
} from './occasions.ts';
import {
  type AmountsInShops,
  type CardPurchase,
  type Dated,
  type InterestOrFee,
  isDated,
  type Life,
  type LifeEvent,
  type Occasion,
  type Persona,
} from './persona.ts';

/** The most days from a purchase to its refund. */
export const longestRefund = 20;

/**
 * A life day by day. The same persona, seed, account and day give the same events, whatever happened before: nothing of
 * the ledger is read. The almanac can be shared by all lives of the persona.
 */
export class Course {
  readonly life: Life;
  readonly #almanac: Almanac;
  readonly #calendar: BankingCalendar;
  readonly #chance: Chance;
  readonly #events: EventWriter;
  /** The days from the beginning of a purchase to its end, at most. */
  readonly #reach: number;
  /**
   * The last days of a question: the next one asks for the days after them.
   */
  #recent: ReadonlyMap<LocalDate, readonly Happening[]> = new Map();
  /** Its answer: the runs of a day ask for the same day. */
  #answered: { readonly days: string; readonly happenings: readonly Happening[] } | null = null;
  /** The counted events with the times of their last period. Null, as after a past: the next day makes them. */
  #counted: readonly (CountedEvent & { readonly times: ReturnType<typeof timesOf> })[] | null = null;
  readonly #trips = new Map<number, readonly Trip[]>();

  constructor(life: Life, almanac: Almanac, { calendar, settlementTimes }: RunSchedule) {
    this.life = life;
    this.#almanac = almanac;
    this.#calendar = calendar;
    this.#chance = chanceOf(life.seed, life.account);
    this.#events = new EventWriter(life, almanac, bothTimes(settlementTimes), this.#chance);
    const lapses = life.persona.events.map((event) => (event.kind === 'card' ? (event.lapsesAfterDays ?? 0) : 0));
    const hasTrips = life.persona.events.some(({ kind }) => kind === 'trip');
    const hasRefunds = life.persona.events.some((event) => 'refundsPerYear' in event);
    this.#reach = Math.max(hasTrips || hasRefunds ? longestRefund : longestLag, ...lapses);
  }

  /**
   * What happens from one day to another, both included, in order of time. `withEarlierEnds` adds the ends of earlier
   * purchases: other settlement times may have kept them from being booked.
   */
  between(from: LocalDate, to: LocalDate, withEarlierEnds = false): readonly Happening[] {
    const days = `${from} ${to}`;
    if (withEarlierEnds && this.#answered?.days === days) return this.#answered.happenings;
    const [start, end] = [this.#events.instant(from, 0), this.#events.instant(addDays(to, 1), 0)];
    const happenings: Happening[] = [];
    const recent = new Map<LocalDate, readonly Happening[]>();
    const keptFrom = addDays(to, -this.#reach);
    for (let day = addDays(from, -this.#reach); day <= to; day = addDays(day, 1)) {
      const begun = this.#recent.get(day) ?? this.#begunOn(day);
      if (day >= keptFrom) recent.set(day, begun);
      for (const each of begun) {
        const isWanted = each.at >= start || (withEarlierEnds && isEnd(each));
        if (isWanted && each.at < end) happenings.push(each);
      }
    }
    happenings.sort((one, other) => one.at - other.at);
    this.#recent = recent;
    if (withEarlierEnds) this.#answered = { days, happenings };
    return happenings;
  }

  /** Keeps nothing of the days that were asked for: those of a past are asked for once. */
  forget(): void {
    this.#recent = new Map();
    this.#counted = null;
  }

  /**
   * The day before this one on which an event of the life was last booked; `began`, if it was not booked after that
   * day.
   */
  previousSettlement({ when }: InterestOrFee, date: LocalDate, began: LocalDate): LocalDate {
    const dayIndex = keptDay(when.days.length, this.#chance);
    for (let month = monthNumber(date); month >= monthNumber(began); month -= 1) {
      const day = datesIn(when, month, this.#calendar)[dayIndex];
      if (day !== undefined && day < date) return day > began ? day : began;
    }
    return began;
  }

  /** What an event of this key is in its whole persona, or null if that has no such event. */
  meaningOf(key: string, { events }: Persona): Meaning | null {
    const [place = '', month = '', number = '', refund] = key.split('.');
    const index = Number(place);
    const whole = events[index];
    if (whole === undefined) return null;
    const trip = whole.kind === 'trip' ? tripIn(whole, index, Number(month), this.#chance) : null;
    const dayOfMonth = isDated(whole.when) ? whole.when.days[keptDay(whole.when.days.length, this.#chance)] : undefined;
    const own = dayOfMonth === undefined ? whole : this.#priced(index, dateInMonth(Number(month), dayOfMonth));
    const event = own.kind === 'elsewhere' ? whole : own;
    const isRefund = refund === 'refund';
    return { event, refundOf: isRefund ? `${place}.${month}.${number}` : null, trip: trip?.place.place ?? null };
  }

  #begunOn(date: LocalDate): Happening[] {
    const found = this.#usuallyOn(date);
    const { events, occasions = [] } = this.life.persona;
    for (const occasion of occasions) {
      if (occasion.on !== date) continue;
      if (occasion.what === 'account moved') {
        const action = { kind: 'move', details: this.#events.parties(occasion.party, -1n) } as const;
        const at = this.#events.instant(date, 0);
        found.push({ event: occasion.what, key: `moved.${date}`, at, action, isKnown: false });
      }
      if (occasion.what !== 'charged twice') continue;
      const index = events.findIndex(({ event }) => event === occasion.event);
      const event = index === -1 ? undefined : this.#priced(index, date);
      if (event?.kind === 'card') found.push(...this.#chargedTwice(event, index, date));
    }
    return found.map((each) => savedBeside(each, found));
  }

  /** A purchase that the shop charges twice by mistake, and pays back once. */
  #chargedTwice(event: CardPurchase, index: number, date: LocalDate): Happening[] {
    const inYear = { number: 0, of: 1, year: 0 };
    const count = { number: 900, period: monthNumber(date), day: date, inYear };
    const { lapsesAfterDays: _lapses, ...lasting } = event;
    const purchase = { ...lasting, refundsPerYear: 0 };
    const time = { index, date, count };
    const [reserve, book] = this.#events.purchase(purchase, time);
    if (reserve === undefined || book?.action.kind !== 'book') return [];
    const key = `${reserve.key}${again}`;
    const back = this.#events.refund(purchase, time, book.action, true);
    const second = [
      { ...reserve, key, isAwaited: true },
      { ...book, key },
    ];
    return [reserve, book, ...second, ...(back === null ? [] : [{ ...back, hangsOn: key }])];
  }

  #usuallyOn(date: LocalDate): Happening[] {
    const near = this.#tripsNear(monthNumber(date));
    const trip = near.find(({ from, to }) => from <= date && date <= to);
    const away = trip && tripKey(trip);
    const found = this.#datedOn(date, away);
    const isCrowded = this.#almanac.isBeforeHolidays(date);
    const bought: Bought[] = [];
    const withTimes = (one: CountedEvent) => ({ ...one, times: timesOf(one, this.#chance, this.#calendar) });
    this.#counted ??= this.#almanac.counted.map(withTimes);
    for (const { index, event, timing, times } of this.#counted) {
      const counts = times(this.#almanac.daysOn(date, timing));
      // An iterator for each event of each day would be most of what a life allocates.
      if (counts.length === 0) continue;
      for (const count of counts) {
        const happenings = this.#happen(event, index, date, count);
        if (event.kind !== 'card') found.push(...happenings);
        else if (mayBuy(event, happenings, bought, isCrowded)) found.push(...notWhen(away, happenings));
      }
    }
    if (trip !== undefined) found.push(...this.#abroad(trip, date));
    for (const coming of near) if (coming.fareDay === date) found.push(...this.#fare(coming));
    return found;
  }

  /** The trips of this month and of the next one, whose ticket may be bought in this month. */
  #tripsNear(month: number): readonly Trip[] {
    let trips = this.#trips.get(month);
    if (trips === undefined) {
      const { events } = this.life.persona;
      trips = [month, month + 1].flatMap((each) =>
        events.flatMap((event, index) => {
          const trip = event.kind === 'trip' ? tripIn(event, index, each, this.#chance) : null;
          return trip === null ? [] : [trip];
        }),
      );
      if (this.#trips.size > 24) this.#trips.clear();
      this.#trips.set(month, trips);
    }
    return trips;
  }

  #fare({ index, event, place: { fare }, month, fareDay }: Trip): Happening[] {
    const inYear = { number: month % 12, of: 12, year: Math.floor(month / 12) };
    const purchase = { ...event, ...fare, kind: 'card', when: { perYear: 1 }, card: 'visa' } as const;
    const count = { number: 0, period: month, day: fareDay, inYear };
    return this.#events.purchase(purchase, { index, date: fareDay, count }, true);
  }

  /** What is bought on a day of a trip; the nights are paid on its last day. */
  #abroad(trip: Trip, date: LocalDate): Happening[] {
    const { index, event, place, month, from, to } = trip;
    const { purchases, perDay, lodging } = place;
    const [day, nights] = [daysBetween(from, date), daysBetween(from, to)];
    const of = (nights + 1) * perDay;
    const drawn = (purpose: number): number => this.#chance(index, purposes.trip, month, 10 + purpose);
    const buy = (bought: AmountsInShops | undefined, number: number): Happening[] => {
      if (bought === undefined) return [];
      const purchase = { ...event, ...bought, kind: 'card', when: { perYear: 1 }, card: 'foreign' } as const;
      const count = { number, period: month, day: date, inYear: { number: number % of, of, year: month } };
      const bookings = this.#events.purchase(purchase, { index, date, count });
      return bookings.map((each) => ({ ...each, hangsOn: tripKey(trip) }));
    };
    const first = 1 + day * perDay;
    const kinds = purchases.length;
    // Each kind of purchase is made once a day before one comes again.
    const kindOf = (number: number): number =>
      this.#chance.shuffled(number % kinds, kinds, -2 - index, 100 * month + day);
    const bought = Array.from({ length: 1 + Math.floor(drawn(day) * perDay) }, (_, number) =>
      buy(purchases[kindOf(number)], first + number),
    );
    const isPaid = date === to && nights > 0 && lodging !== undefined;
    return [...bought.flat(), ...(isPaid ? buy({ ...lodging, times: nights }, 1 + of) : [])];
  }

  #datedOn(date: LocalDate, away: string | undefined): Happening[] {
    return this.#almanac.on(date).flatMap((dated) => {
      const event = this.life.persona.events[dated.index];
      assert(event !== undefined, 'an almanac is of its persona');
      const { option } = dated;
      const isKept = option === null || keptDay(option.of, this.#chance) === option.number;
      if (!isKept || !isDated(event.when)) return [];
      const happenings = this.#happen(event, dated.index, date, countOf(dated, event.when));
      // A subscription goes on while its holder is abroad.
      return event.kind === 'card' && event.card !== 'foreign' ? notWhen(away, happenings) : happenings;
    });
  }

  #happen(event: LifeEvent, index: number, date: LocalDate, count: Count): Happening[] {
    const { persona } = this.life;
    const { occasions = [] } = persona;
    if (occasions.length === 0)
      return this.#events.happen(eventIn(persona, index, monthNumber(count.day)), { index, date, count });
    const past = occasions.filter(({ on }) => on <= count.day);
    if (past.some((one) => one.what === 'stopped' && one.event === event.event)) return [];
    const isBlocked = (one: Occasion): boolean => one.what === 'card replaced' && count.day < addDays(one.on, one.days);
    if (event.kind === 'card' && past.some(isBlocked)) return [];
    const isLate = (one: Occasion): boolean => one.what === 'late' && one.event === event.event;
    const late = occasions.find((one) => isLate(one) && monthNumber(one.on) === count.period);
    const day = late?.what === 'late' ? this.#bankingDaysAfter(date, late.days) : date;
    return this.#events.happen(this.#priced(index, count.day), { index, date: day, count });
  }

  /** An event with the amounts that it has on a day: risen, or at its new price. */
  #priced(index: number, day: LocalDate): LifeEvent {
    const { persona } = this.life;
    const event = eventIn(persona, index, monthNumber(day));
    const price = persona.occasions?.findLast(
      (one) => one.what === 'new price' && one.event === event.event && one.on <= day,
    );
    return price?.what === 'new price' && 'amount' in event ? { ...event, amount: price.amount } : event;
  }

  #bankingDaysAfter(date: LocalDate, days: number): LocalDate {
    let day = date;
    for (let left = days; left > 0; left -= 1) day = nextOrSame(addDays(day, 1), this.#calendar);
    return day;
  }
}

/** A purchase at home of a day. */
type Bought = Readonly<Record<'category' | 'shop', string | undefined>>;

/** How often somebody buys what is of a category on a day; before holidays food once. */
const mostPerDay: Readonly<Record<string, number>> = { groceries: 2, leisure: 1 };

/**
 * Whether somebody buys this too: once a day in a shop, and so often of its category; before holidays two things on a
 * day.
 */
function mayBuy({ category }: CardPurchase, [first]: Happening[], bought: Bought[], isCrowded: boolean): boolean {
  const shop = first?.action.kind === 'reserve' ? first.action.details.remittanceInformationUnstructured : undefined;
  const most = (mostPerDay[category ?? ''] ?? Infinity) / (isCrowded ? 2 : 1);
  const isFull = bought.filter((one) => one.category === category).length >= most || (isCrowded && bought.length > 1);
  if (isFull || bought.some((one) => one.shop === shop)) return false;
  bought.push({ category, shop });
  return true;
}

/** What is left over is what was there before the day's income. */
function savedBeside(saving: Happening, found: readonly Happening[]): Happening {
  const { action, at } = saving;
  if (action.kind !== 'left over') return saving;
  const income = found.filter((each) => each.at <= at && each.action.kind === 'post' && each.action.amount > 0n);
  return { ...saving, action: { ...action, income: income.reduce((sum, each) => sum + amountOf(each.action), 0n) } };
}

/** The key of the ticket of a trip. */
function tripKey({ index, month }: Trip): string {
  return `${index}.${month}.0`;
}

/** The purchases of a day at home, which do not happen if this ticket was bought. */
function notWhen(away: string | undefined, happenings: Happening[]): Happening[] {
  if (away === undefined) return happenings;
  return happenings.map((each) => (each.action.kind === 'reserve' ? { ...each, unless: away } : each));
}

/** A dated event happens once a month. The month of a moved day is that of the day it replaces. */
function countOf({ month, option }: DatedEvent, { days }: Dated): Count {
  const day = dateInMonth(month, days[option?.number ?? 0] ?? 1);
  return { number: 0, period: month, day, inYear: { number: month % 12, of: 12, year: Math.floor(month / 12) } };
}
