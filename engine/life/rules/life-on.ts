import {
  detailsOfPayment,
  type NamedAccount,
  type TransactionDetails,
  formatExchange,
} from '../../accounts/rules/transaction-details.ts';
import { dayOf, isoCodes } from '../../accounts/rules/bank-texts.ts';
import { kidOf } from '../../payments/rules/kid.ts';
import { type BankingCalendar, nextOrSame } from '../../time/rules/banking-calendar.ts';
import type { RunSchedule } from '../../time/rules/settlement-run.ts';
import { assert } from '../../values/assert.ts';
import { isBban } from '../../values/account-number.ts';
import { type Amount, type Currency, parseAmount } from '../../values/money.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import { fromLocal, type Instant } from '../../values/instant.ts';
import { addDays, dateInMonth, daysBetween, type LocalDate, monthNumber } from '../../values/local-date.ts';
import { convert, formatRate, parseRate } from '../../values/price-list.ts';
import { bookingDay, longestLag, valueDay } from './card-lags.ts';
import { type Chance, chanceOf } from './chance.ts';
import {
  type Almanac,
  type Count,
  countsOn,
  datesIn,
  type DatedEvent,
  keptDay,
  purposes,
  type Trip,
  tripIn,
} from './occasions.ts';
import {
  type Amounts,
  type CardPurchase,
  type Dated,
  isDated,
  type Life,
  type LifeEvent,
  type Occasion,
  type Party,
  type Persona,
  type Role,
  type InterestOrFee,
  type Salaries,
  type StandingOrder,
  type Transfer,
} from './persona.ts';

/** Money of an event that is booked. */
export interface Booking {
  /** The other account of the household, on which the opposite is booked. */
  readonly to?: string | undefined;
  /** Øre, credit positive. */
  readonly amount: bigint;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  readonly details: TransactionDetails;
}

/**
 * What happens. `post` books money; a debit needs funds unless the bank itself takes it. `reserve` announces a purchase, which `book` or
 * `release` ends. The engine has the rest: the bank pays standing orders itself, salaries are a bulk payment, and interest and fees are calculated from the ledger.
 */
export type LifeAction =
  | ({ readonly kind: 'post'; readonly needsFunds: boolean } & Booking)
  | {
      readonly kind: 'reserve';
      readonly amount: bigint;
      readonly valueDate: LocalDate;
      readonly details: TransactionDetails;
    }
  | ({ readonly kind: 'book' } & Booking)
  | { readonly kind: 'release' }
  | ({
      readonly kind: 'order';
      /** The day that a closed day may have moved. */
      readonly wanted: LocalDate;
    } & Booking)
  /** The account moves to another bank. */
  | { readonly kind: 'move'; readonly details: TransactionDetails }
  | { readonly kind: 'pay'; readonly event: Salaries; readonly date: LocalDate }
  | { readonly kind: 'interest or fee'; readonly event: InterestOrFee; readonly date: LocalDate }
  | ({ readonly kind: 'left over'; readonly keeps: bigint | null } & Omit<Booking, 'amount'>);

/** What an action moves, in øre: nothing if nobody knows yet. */
export function amountOf(action: LifeAction): bigint {
  if (action.kind === 'pay') return -action.event.payees.reduce((sum, { amount }) => sum + ore(amount), 0n);
  return 'amount' in action ? action.amount : 0n;
}

/** An event of a life at its time. */
export interface Happening {
  /** The event of the persona. */
  readonly event: string;
  /** One in a life; a purchase's booking or release has that of its reservation. */
  readonly key: string;
  readonly at: Instant;
  readonly action: LifeAction;
  /** Whether it is a transfer whose day and amount are known before. */
  readonly isKnown: boolean;
  /** The key of a purchase without which it does not happen: a refund has one, and a purchase on a trip. */
  readonly hangsOn?: string;
  /** The key of a purchase with which it does not happen: that of the ticket, for what is bought at home on the days of the trip. */
  readonly unless?: string;
  /** Others hang on it. */
  readonly isAwaited?: boolean;
}

/** Whether it happens if these did. */
export function isFree({ hangsOn, unless }: Happening, happened: (key: string) => boolean): boolean {
  return (hangsOn === undefined || happened(hangsOn)) && (unless === undefined || !happened(unless));
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

const minute = 60_000;
const hour = 60 * minute;

/** The most days from a purchase to its refund. */
export const longestRefund = 20;

/**
 * A life day by day. The same persona, seed, account and day give the same events, whatever happened before: nothing of the ledger is read.
 * The almanac can be shared by all lives of the persona.
 */
export class Course {
  readonly life: Life;
  readonly #almanac: Almanac;
  readonly #calendar: BankingCalendar;
  /** The last run of a banking day, in ms since midnight: what is booked on a day is booked by then, so that nothing comes behind (S6). */
  readonly #lastRun: number;
  readonly #chance: Chance;
  readonly #own: NamedAccount;
  /** The days from the beginning of a purchase to its end, at most. */
  readonly #reach: number;
  /** The last days that were asked for: the next question is for the days after them. */
  #recent: ReadonlyMap<LocalDate, readonly Happening[]> = new Map();
  readonly #trips = new Map<number, readonly Trip[]>();

  constructor(life: Life, almanac: Almanac, { calendar, times }: RunSchedule) {
    this.life = life;
    this.#almanac = almanac;
    this.#calendar = calendar;
    const [hours = 0, minutes = 0] = (times.at(-1) ?? '').split(':').map(Number);
    this.#lastRun = hours * hour + minutes * minute;
    this.#chance = chanceOf(life.seed, life.account);
    this.#own = numberOf(life.account);
    const lapses = life.persona.events.map((event) => (event.kind === 'card' ? (event.lapsesAfterDays ?? 0) : 0));
    const hasTrips = life.persona.events.some(({ kind }) => kind === 'trip');
    const hasRefunds = life.persona.events.some((event) => 'refundsPerYear' in event);
    this.#reach = Math.max(hasTrips || hasRefunds ? longestRefund : longestLag, ...lapses);
  }

  /** What happens from one day to another, both included, in order of time. */
  between(from: LocalDate, to: LocalDate): Happening[] {
    return this.#select(from, to, false);
  }

  #select(from: LocalDate, to: LocalDate, withEarlierEnds: boolean): Happening[] {
    const [start, end] = [this.#instant(from, 0), this.#instant(addDays(to, 1), 0)];
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
    this.#recent = recent;
    return happenings.sort((one, other) => one.at - other.at);
  }

  /**
   * What is to happen up to a day: {@link between}, and the ends of purchases of before, which did not come to pass if the bank had other
   * settlement times then.
   */
  until(from: LocalDate, to: LocalDate): Happening[] {
    return this.#select(from, to, true);
  }

  /** The day before this one on which an event of the life was last booked; `began`, if it was not booked after that day. */
  previousSettlement({ when }: InterestOrFee, date: LocalDate, began: LocalDate): LocalDate {
    const kept = keptDay(when.days.length, this.#chance);
    for (let month = monthNumber(date); month >= monthNumber(began); month -= 1) {
      const day = datesIn(when, month, this.#calendar)[kept];
      if (day !== undefined && day < date) return day > began ? day : began;
    }
    return began;
  }

  /** What an event of this key is in its whole persona; null: that has no such event. */
  meaningOf(key: string, { events }: Persona): Meaning | null {
    const [place = '', month = '', number = '', refund] = key.split('.');
    const index = Number(place);
    const event = events[index];
    if (event === undefined) return null;
    const trip = event.kind === 'trip' ? tripIn(event, index, Number(month), this.#chance) : null;
    const isRefund = refund === 'refund';
    return { event, refundOf: isRefund ? `${place}.${month}.${number}` : null, trip: trip?.place.place ?? null };
  }

  #begunOn(date: LocalDate): Happening[] {
    const found = this.#usuallyOn(date);
    const { events, occasions = [] } = this.life.persona;
    for (const occasion of occasions) {
      if (occasion.on !== date) continue;
      if (occasion.what === 'account moved')
        found.push({
          event: occasion.what,
          key: `moved.${date}`,
          at: this.#instant(date, 0),
          action: { kind: 'move', details: this.#parties(occasion.party, -1n) },
          isKnown: false,
        });
      const index = 'event' in occasion ? events.findIndex(({ event }) => event === occasion.event) : -1;
      const event = events[index];
      if (occasion.what === 'charged twice' && event?.kind === 'card')
        found.push(...this.#chargedTwice(event, index, date));
    }
    return found;
  }

  /** A purchase that the shop charges twice by mistake, and pays back once. */
  #chargedTwice(event: CardPurchase, index: number, date: LocalDate): Happening[] {
    const inYear = { number: 0, of: 1, year: 0 };
    const count = { number: 900, period: monthNumber(date), day: date, inYear };
    const { lapsesAfterDays: _lapses, ...lasting } = event;
    const purchase = { ...lasting, refundsPerYear: 0 };
    const [reserve, book] = this.#purchase(purchase, index, date, count);
    if (reserve === undefined || book?.action.kind !== 'book') return [];
    const key = `${reserve.key}.again`;
    const back = this.#refund(purchase, index, count, book.action, true);
    const again = [
      { ...reserve, key, isAwaited: true },
      { ...book, key },
    ];
    return [reserve, book, ...again, ...(back === null ? [] : [{ ...back, hangsOn: key }])];
  }

  #usuallyOn(date: LocalDate): Happening[] {
    const trip = this.#tripsNear(date).find(({ from, to }) => from <= date && date <= to);
    const away = trip && tripKey(trip);
    const found = this.#datedOn(date, away);
    const { open, booked, bookedOpen, inShops } = this.#almanac.day(date);
    for (const { index, event, when } of this.#almanac.counted) {
      const bought = when.closedOnHolidays === true ? inShops : open;
      const paid = 'everyOpenDay' in when ? bookedOpen : booked;
      for (const day of event.kind === 'transfer' ? paid : bought) {
        for (const count of countsOn(index, when, day, this.#chance)) {
          const happenings = this.#happen(event, index, date, count);
          found.push(...(event.kind === 'card' ? notWhen(away, happenings) : happenings));
        }
      }
    }
    if (trip !== undefined) found.push(...this.#abroad(trip, date));
    for (const coming of this.#tripsNear(date)) if (coming.fareDay === date) found.push(...this.#fare(coming));
    return found;
  }

  /** The trips of this month and of the next one, whose ticket may be bought in this month. */
  #tripsNear(date: LocalDate): readonly Trip[] {
    const month = monthNumber(date);
    return [month, month + 1].flatMap((each) => this.#tripsIn(each));
  }

  #tripsIn(month: number): readonly Trip[] {
    let trips = this.#trips.get(month);
    if (trips === undefined) {
      trips = this.life.persona.events.flatMap((event, index) => {
        const trip = event.kind === 'trip' ? tripIn(event, index, month, this.#chance) : null;
        return trip === null ? [] : [trip];
      });
      if (this.#trips.size > 24) this.#trips.clear();
      this.#trips.set(month, trips);
    }
    return trips;
  }

  #fare({ index, event, place: { fare }, month, fareDay }: Trip): Happening[] {
    const inYear = { number: month % 12, of: 12, year: Math.floor(month / 12) };
    const purchase = { ...event, ...fare, kind: 'card', when: { perYear: 1 }, card: 'visa' } as const;
    return this.#purchase(purchase, index, fareDay, { number: 0, period: month, day: fareDay, inYear }, true);
  }

  /** What is bought on a day of a trip. */
  #abroad(trip: Trip, date: LocalDate): Happening[] {
    const { index, event, place, month, from, to } = trip;
    const day = daysBetween(from, date);
    const of = (daysBetween(from, to) + 1) * place.perDay;
    const times = 1 + Math.floor(this.#chance(index, purposes.trip, month, 10 + day) * place.perDay);
    const purchase = { ...event, ...place, kind: 'card', when: { perYear: 1 }, card: 'foreign' } as const;
    return Array.from({ length: times }, (_, number) => {
      const place_ = 1 + day * place.perDay + number;
      const count = { number: place_, period: month, day: date, inYear: { number: place_ % of, of, year: month } };
      return this.#purchase(purchase, index, date, count).map((each) => ({ ...each, hangsOn: tripKey(trip) }));
    }).flat();
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
    const { occasions = [] } = this.life.persona;
    if (occasions.length === 0) return this.#happenAsUsual(event, index, date, count);
    const past = occasions.filter(({ on }) => on <= count.day);
    if (past.some((one) => one.what === 'stopped' && one.event === event.event)) return [];
    const isBlocked = (one: Occasion): boolean => one.what === 'card replaced' && count.day < addDays(one.on, one.days);
    if (event.kind === 'card' && past.some(isBlocked)) return [];
    const price = past.findLast((one) => one.what === 'new price' && one.event === event.event);
    const priced = price?.what === 'new price' && 'amount' in event ? { ...event, amount: price.amount } : event;
    const late = occasions.find(
      (one) => one.what === 'late' && one.event === event.event && monthNumber(one.on) === count.period,
    );
    const day = late?.what === 'late' ? this.#bankingDaysAfter(date, late.days) : date;
    return this.#happenAsUsual(priced, index, day, count);
  }

  #bankingDaysAfter(date: LocalDate, days: number): LocalDate {
    let day = date;
    for (let left = days; left > 0; left -= 1) day = nextOrSame(addDays(day, 1), this.#calendar);
    return day;
  }

  #happenAsUsual(event: LifeEvent, index: number, date: LocalDate, count: Count): Happening[] {
    switch (event.kind) {
      case 'transfer':
        return this.#transfer(event, index, date, count);
      case 'card':
        return this.#purchase(event, index, date, count);
      case 'standing order':
        return [this.#order(event, index, date, count)];
      case 'bulk':
        return [this.#happening(event, index, count, this.#instant(date, 0), { kind: 'pay', event, date })];
      case 'interest':
      case 'overdraft interest':
      case 'fee for failed orders':
        return [this.#happening(event, index, count, this.#instant(date, 0), { kind: 'interest or fee', event, date })];
      case 'left over': {
        const to = this.#other(event.to);
        const details = { ...this.#texts(event, index, count), ...this.#parties(to ?? event.party, -1n) };
        const keeps = event.keeps === undefined ? null : ore(event.keeps);
        const action = {
          kind: 'left over',
          keeps,
          to: to?.account,
          bookingDate: date,
          valueDate: date,
          details,
        } as const;
        return [this.#happening(event, index, count, this.#instant(date, 0), action)];
      }
      case 'trip':
      case 'elsewhere':
        return [];
    }
  }

  /** {@link fromLocal} with the cached midnight of the day, which is faster. */
  #instant(date: LocalDate, ms: number): Instant {
    const { midnight } = this.#almanac.day(date);
    return midnight === null ? fromLocal(date, ms) : ((midnight + ms) as Instant);
  }

  #happening(
    event: LifeEvent,
    index: number,
    count: Count,
    at: Instant,
    action: LifeAction,
    isKnown = false,
  ): Happening {
    return { event: event.event, key: `${index}.${count.period}.${count.number}`, at, action, isKnown };
  }

  /** A number from 0 up to 1 for one purpose of one time of an event. */
  #drawn(index: number, purpose: keyof typeof purposes, { period, number }: Count): number {
    return this.#chance(index, purposes[purpose], period, number);
  }

  #transfer(event: Transfer, index: number, date: LocalDate, count: Count): Happening[] {
    const { when } = event;
    const isKnown = isDated(when);
    // Before the first run, or before the last one of the usual times; a month end has no run if it is a Saturday.
    const counted = 6 * hour + Math.floor(this.#drawn(index, 'time', count) * 9 * hour);
    const early =
      isDated(when) && when.rule === 'month end' ? 0 : 4 * hour + Math.floor(this.#drawn(index, 'time', count) * hour);
    const ms = isKnown ? early : date === count.day ? counted : 4 * hour;
    const money = this.#amount(event, index, count, date);
    if (money.amount === 0n) return [];
    const other = this.#other(event.to);
    const party = other ?? this.#oneOf(event.parties ?? [], index, count);
    const needsFunds = money.amount < 0n && party !== undefined;
    const isLate = event.hasKid === true && this.#drawn(index, 'valueDate', count) > 0.6;
    const valueDate = isLate ? addDays(date, 1) : isKnown ? date : count.day;
    const details: TransactionDetails = {
      ...this.#texts(event, index, count),
      ...(event.hasKid === true && {
        remittanceInformationStructuredArray: [this.#kid(index, count, event.isKidWrong)],
      }),
      ...(party !== undefined && this.#parties(party, money.amount)),
      ...(event.mandateId !== undefined && { mandateId: event.mandateId }),
      ...money.details,
    };
    const booking = { amount: money.amount, to: other?.account, bookingDate: date, valueDate, details };
    const at = this.#instant(date, Math.min(ms, this.#lastRun));
    const once = this.#happening(event, index, count, at, { kind: 'post', needsFunds, ...booking }, isKnown);
    const { againAfterDays: days } = event;
    if (days === undefined) return [once];
    const { bookingDays } = this.#almanac.day(addDays(date, days - 1));
    const day = bookingDays.domestic.days.at(-1) ?? date;
    const again = { kind: 'post', needsFunds, ...booking, bookingDate: day, valueDate: day } as const;
    const later = this.#happening(event, index, count, this.#instant(day, Math.min(4 * hour, this.#lastRun)), again);
    return [once, { ...later, key: `${once.key}.again` }];
  }

  /** The account of the household with this role, as a party of a transfer. */
  #other(role: Role | undefined): (Party & { readonly account: string }) | undefined {
    const other = role === undefined ? undefined : this.life.others.find((each) => each.role === role);
    return other && { name: other.holder, account: other.account };
  }

  #texts({ text, texts, code }: Pick<Transfer, 'text' | 'texts' | 'code'>, index: number, count: Count) {
    const said = texts === undefined ? text : this.#oneOf(texts, index, count, 'text');
    return {
      ...(said !== undefined && { remittanceInformationUnstructured: said }),
      ...(code !== undefined && { bankTransactionCode: code }),
    };
  }

  #parties({ name, account }: Party, amount: bigint): TransactionDetails {
    const [other, own] = [account === undefined ? null : numberOf(account), this.#own];
    const { holder } = this.life;
    return amount < 0n
      ? {
          creditorName: name,
          ...(other !== null && { creditorAccount: other }),
          debtorName: holder,
          debtorAccount: own,
        }
      : {
          creditorName: holder,
          creditorAccount: own,
          debtorName: name,
          ...(other !== null && { debtorAccount: other }),
        };
  }

  /** The customer's number at the payee, the month, and the check digit. */
  #kid(index: number, { period, number }: Count, isWrong = false) {
    const customer = Math.floor(this.#chance(index, purposes.kid) * 9_000_000) + 1_000_000;
    const right = kidOf(`${customer}${period}${number}`, 'MOD10');
    const reference = isWrong ? `${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}` : right;
    return { reference, referenceType: 'SCOR' as const };
  }

  #purchase(event: CardPurchase, index: number, date: LocalDate, count: Count, isAwaited = false): Happening[] {
    const { card } = event;
    const { bookingDays } = this.#almanac.day(date);
    const booked = bookingDay(bookingDays[card], this.#drawn(index, 'lag', count));
    const isAtOnce = booked === date;
    const late = this.#drawn(index, 'time', count);
    const ms = 7 * hour + Math.floor(late * (isAtOnce ? 6 : 14) * hour);
    const at = this.#instant(date, isAtOnce ? Math.min(ms, this.#lastRun) : ms);
    const bookedAt = this.#instant(booked, isAtOnce ? Math.min(15 * hour, this.#lastRun) : 0);
    const shop = this.#oneOf(event.shops, index, count) ?? '';
    const money = this.#amount(event, index, count, date);
    if (money.amount === 0n) return [];
    const code = event.code ?? isoCodes[card];
    const happening = (when: Instant, action: LifeAction) => this.#happening(event, index, count, when, action);
    const valueDate = valueDay(card, booked, this.#drawn(index, 'valueDate', count));
    const text = `${dayOf(date)} ${shop}`;
    const own = this.#card(date);
    const details = { remittanceInformationUnstructured: text, bankTransactionCode: code, ...own, ...money.details };
    const booking = { amount: money.amount, bookingDate: booked, valueDate, details };
    if (money.amount > 0n) return [happening(bookedAt, { kind: 'post', needsFunds: false, ...booking })];
    const reserved = event.reserved === undefined ? money.amount : ore(event.reserved);
    const announced = { remittanceInformationUnstructured: shop, bankTransactionCode: code, ...own };
    const refund = this.#refund(event, index, count, booking);
    const reserve = {
      ...happening(at, { kind: 'reserve', amount: reserved, valueDate: date, details: announced }),
      ...((isAwaited || refund !== null) && { isAwaited: true }),
    };
    if (event.lapsesAfterDays !== undefined)
      return [reserve, happening(this.#instant(addDays(date, event.lapsesAfterDays), 0), { kind: 'release' })];
    return [reserve, happening(bookedAt, { kind: 'book', ...booking }), ...(refund === null ? [] : [refund])];
  }

  /** What the shop pays back of a purchase, at most 20 days after it; null: nothing. */
  #refund(event: CardPurchase, index: number, count: Count, bought: Booking, isWhole = false): Happening | null {
    const { refundsPerYear = 0 } = event;
    const drawn = this.#drawn(index, 'refund', count);
    const share = refundsPerYear / count.inYear.of;
    if (!isWhole && drawn >= share) return null;
    // In two of three cases all of it.
    const part = isWhole ? 1 : Math.min(1, 0.3 + (drawn / share) * 2.1);
    const amount = (-bought.amount * BigInt(Math.round(part * 20))) / 20n;
    const { bookingDays } = this.#almanac.day(addDays(bought.bookingDate, 1 + Math.floor(part * 5)));
    const date = bookingDays.domestic.days.at(-1) ?? bought.bookingDate;
    const {
      currencyExchange: _rate,
      originalAmount: _paid,
      ...details
    } = {
      ...bought.details,
      remittanceInformationUnstructured: `${dayOf(date)} ${this.#oneOf(event.shops, index, count) ?? ''}`,
    };
    const booking = { amount, bookingDate: date, valueDate: date, details };
    const action = { kind: 'post', needsFunds: false, ...booking } as const;
    const at = this.#instant(date, Math.min(4 * hour, this.#lastRun));
    const { key, ...happening } = this.#happening(event, index, count, at, action);
    return { ...happening, key: `${key}.refund`, hangsOn: key };
  }

  /** Which card paid on a day, of a persona whose card is replaced. */
  #card(date: LocalDate): TransactionDetails {
    const replaced = (this.life.persona.occasions ?? []).filter(({ what }) => what === 'card replaced');
    if (replaced.length === 0) return {};
    const number = replaced.filter(({ on }) => on <= date).length;
    const digits = String(Math.floor(this.#chance(purposes.card, number) * 10_000)).padStart(4, '0');
    return { additionalInformation: `Kort *${digits}` };
  }

  #order(event: StandingOrder, index: number, date: LocalDate, count: Count): Happening {
    const initiation = initiationOf(event, this.life);
    const debtor = { name: this.life.holder, bban: null, iban: null, ...this.#own };
    const details = detailsOfPayment(initiation, debtor);
    const amount = -ore(event.amount);
    const booking = { amount, to: this.#other(event.to)?.account, bookingDate: date, valueDate: date, details };
    return this.#happening(event, index, count, this.#instant(date, 0), {
      kind: 'order',
      wanted: count.day,
      ...booking,
    });
  }

  #oneOf<Item>(
    items: readonly Item[],
    index: number,
    count: Count,
    purpose: keyof typeof purposes = 'party',
  ): Item | undefined {
    return items[Math.floor(this.#drawn(index, purpose, count) * items.length)];
  }

  /** The amount in øre, and the members that tell of another currency. Zero: so little is no øre. */
  #amount(
    { amount: from, upTo, roundTo, byMonth, foreign }: Amounts,
    index: number,
    count: Count,
    date: LocalDate,
  ): { readonly amount: bigint; readonly details: TransactionDetails } {
    const currency = (foreign?.currency ?? 'NOK') as Currency;
    const drawn = upTo === undefined ? minorOf(from, currency) : this.#between(from, upTo, currency, index, count);
    const unit = (roundTo === undefined ? 1n : minorOf(roundTo, currency)) || 1n;
    const percent = BigInt(byMonth?.[Number(count.day.slice(5, 7)) - 1] ?? 100);
    const minor = ((drawn * percent) / 100n / unit) * unit;
    if (foreign === undefined) return { amount: minor, details: {} };
    const [instructed, sign] = minor < 0n ? [-minor, -1n] : [minor, 1n];
    // Up to two per cent around the rate of the file, the same for a day and a currency.
    const day = Number(date.replaceAll('-', ''));
    const moved = 9_800 + Math.floor(this.#chance(purposes.rate, day, Number.parseInt(currency, 36)) * 401);
    const rate = parseRate(foreign.rate);
    assert(rate !== null, 'the rates of a persona were checked');
    const shown = { digits: rate.digits * BigInt(moved), scale: rate.scale + 4 };
    const charged = convert({ minor: instructed, currency }, shown, 'NOK').minor;
    const amount: Amount = { minor: sign * charged, currency: 'NOK' };
    const line = { amount, instructed: { minor: instructed, currency }, rate: formatRate(shown), quotationDate: date };
    return { amount: amount.minor, details: formatExchange(line) };
  }

  /** An amount of a range: each of a year's times has its own part of the range, so that a year costs about the same as another. */
  #between(from: string, upTo: string, currency: Currency, index: number, count: Count): bigint {
    const [low, high] = [Number(minorOf(from, currency)), Number(minorOf(upTo, currency))];
    const { number, of, year } = count.inYear;
    const part = (number * strideOf(of) + Math.floor(this.#chance(index, purposes.rotation, year) * of)) % of;
    const place = (part + this.#drawn(index, 'amount', count)) / of;
    // Bounds in whole kroner are for amounts in whole kroner.
    const unit = from.endsWith('.00') && upTo.endsWith('.00') ? 100 : 1;
    return BigInt(Math.round((low + place * (high - low)) / unit) * unit);
  }
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

/** The step that visits all of so many parts: by the golden ratio, so that neighbours differ much. */
function strideOf(parts: number): number {
  let stride = Math.max(1, Math.round(parts * 0.618));
  while (divisor(stride, parts) > 1) stride += 1;
  return stride;
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

/** A dated event happens once a month. The month of a moved day is that of the day it replaces. */
function countOf({ month, option }: DatedEvent, { days }: Dated): Count {
  const day = dateInMonth(month, days[option?.number ?? 0] ?? 1);
  return { number: 0, period: month, day, inYear: { number: month % 12, of: 12, year: Math.floor(month / 12) } };
}

/** A standing order as its payment is initiated, from this account. */
export function initiationOf(
  { party, text, amount, to }: StandingOrder,
  { account, others }: Pick<Life, 'account' | 'others'>,
): CreditTransferInitiation {
  const other = to && others.find(({ role }) => role === to);
  return {
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: { ...numberOf(account), currency: 'NOK' },
    creditorAccount: { ...numberOf(other?.account ?? party.account ?? ''), currency: 'NOK' },
    creditorName: party.name,
    remittanceInformationUnstructured: text,
  };
}

/**
 * The day from which a standing order pays, so that it pays nothing up to and including `paidThrough`: a day of its month, which a closed
 * day may move.
 */
export function beginningOfOrder(
  { when }: StandingOrder,
  { seed, account }: Pick<Life, 'seed' | 'account'>,
  paidThrough: LocalDate,
  calendar: BankingCalendar,
): { readonly startDate: LocalDate; readonly day: number } {
  const kept = keptDay(when.days.length, chanceOf(seed, account));
  const day = when.days[kept] ?? 1;
  let month = monthNumber(paidThrough) - 1;
  while ((datesIn(when, month, calendar)[kept] ?? paidThrough) <= paidThrough) month += 1;
  return { startDate: dateInMonth(month, day), day };
}

/** The text and the code of what the bank itself books. */
export function textsOfBank({ text, code }: InterestOrFee): TransactionDetails {
  return { remittanceInformationUnstructured: text, ...(code !== undefined && { bankTransactionCode: code }) };
}

/** The number of an account, as a body has it. */
export function numberOf(account: string): { readonly bban: string } | { readonly iban: string } {
  return isBban(account) ? { bban: account } : { iban: account };
}

/** Amounts of personas, as each is read again for every time of its event. */
const readAmounts = new Map<string, bigint>();

function minorOf(text: string, currency: Currency): bigint {
  const key = `${text} ${currency}`;
  const known = readAmounts.get(key);
  if (known !== undefined) return known;
  const amount = parseAmount(text, currency);
  assert(typeof amount !== 'string', `the amounts of a persona were checked: ${text} ${currency}`);
  if (readAmounts.size > 10_000) readAmounts.clear();
  readAmounts.set(key, amount.minor);
  return amount.minor;
}

/** What an event costs each time, zero or positive, in its own currency; null: it is another amount each time. */
export function priceOf(event: LifeEvent): Amount | null {
  if (event.kind !== 'transfer' && event.kind !== 'card') return null;
  const currency = (event.foreign?.currency ?? 'NOK') as Currency;
  const minor = minorOf(event.amount, currency);
  return event.upTo === undefined ? { minor: minor < 0n ? -minor : minor, currency } : null;
}

/** An amount of a persona's file in øre. */
export function ore(text: string): bigint {
  return minorOf(text, 'NOK');
}
