import { detailsOfPayment, type TransactionDetails } from '../../accounts/rules/transaction-details.ts';
import { dayAndMonth, isoCodes, textForms } from '../../accounts/rules/bank-texts.ts';
import { kidOf } from '../../payments/rules/kid.ts';
import { type BankingCalendar, nextBankingDay } from '../../time/rules/banking-calendar.ts';
import { isBban } from '../../values/account-number.ts';
import type { GivenNumbers, CreditTransferInitiation } from '../../values/credit-transfer.ts';
import { fromLocal, type Instant } from '../../values/instant.ts';
import { addDays, dateInMonth, epochDay, type LocalDate, monthNumber } from '../../values/local-date.ts';
import { bookingDay, valueDay } from './card-lags.ts';
import { type Chance, chanceOf, purposes } from './chance.ts';
import { amountOn, drawShare, eventIn, inRatio, ore, type Time } from './event-amounts.ts';
import type { EventBooking, Happening, LifeAction } from './happening.ts';
import { type Almanac, type Count, datesIn, isInSeason, keptDay } from './occasions.ts';
import { formattedAmount } from '../../values/money.ts';
import {
  type CardKind,
  type CardPurchase,
  type InterestOrFee,
  isDated,
  type Life,
  type LifeEvent,
  type Party,
  type Role,
  type StandingOrderEvent,
  type TransferEvent,
} from './persona.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Ends the key of what is paid or charged a second time, by mistake. */
export const again = '.again';

/**
 * What an event of a life comes to at one of its times: bookings, reservations, orders, with their texts, parties and
 * amounts.
 */
export class EventWriter {
  readonly #life: Life;
  readonly #almanac: Almanac;
  /**
   * The last run of a banking day, in ms since midnight: what is booked on a day is booked by then, so that nothing
   * comes behind (S6).
   */
  readonly #lastRun: number;
  readonly #chance: Chance;
  readonly #own: GivenNumbers;
  /** Its purchases tell with which card they were made. */
  readonly #isCardReplaced: boolean;
  /** Places in a list by its number of items, the favourite first. */
  readonly #favourites = new Map<number, number[]>();

  /** `times`: those of the runs of a banking day, `05:30`. */
  constructor(life: Life, almanac: Almanac, times: readonly string[], chance: Chance) {
    this.#life = life;
    this.#almanac = almanac;
    const [hours = 0, minutes = 0] = (times.at(-1) ?? '').split(':').map(Number);
    this.#lastRun = hours * hour + minutes * minute;
    this.#chance = chance;
    this.#own = accountMember(life.account);
    this.#isCardReplaced = life.persona.occasions?.some(({ what }) => what === 'card replaced') === true;
  }

  happen(event: LifeEvent, time: Time): Happening[] {
    const { index, date, count } = time;
    switch (event.kind) {
      case 'transfer':
        return this.#transfer(event, time);
      case 'card':
        return this.purchase(event, time);
      case 'standing order':
        return [this.#order(event, time)];
      case 'bulk':
        return [this.#happening(event, time, this.instant(date, 0), { kind: 'pay', event, date })];
      case 'interest':
      case 'overdraft interest':
      case 'fee for failed orders':
        return [this.#happening(event, time, this.instant(date, 0), { kind: 'interest or fee', event, date })];
      case 'left over': {
        const to = this.#other(event.to);
        const details = { ...this.#texts(event, index, count), ...this.parties(to ?? event.party, -1n) };
        const keeps = event.keeps === undefined ? null : ore(event.keeps);
        const most = event.amount === undefined ? null : -ore(event.amount);
        const dates = { bookingDate: date, valueDate: date };
        const action = { kind: 'left over', keeps, most, income: 0n, to: to?.account, ...dates, details } as const;
        // It comes after what comes in and goes out before the first run.
        return [this.#happening(event, time, this.instant(date, Math.min(5 * hour, this.#lastRun)), action)];
      }
      case 'trip':
      case 'elsewhere':
        return [];
    }
  }

  /** {@link fromLocal} with the cached midnight of the day, which is faster. */
  instant(date: LocalDate, ms: number): Instant {
    const midnight = this.#almanac.midnight(date);
    return midnight === null ? fromLocal(date, ms) : ((midnight + ms) as Instant);
  }

  #happening({ event, kind, when }: LifeEvent, { index, count }: Time, at: Instant, action: LifeAction): Happening {
    const isKnown = kind !== 'card' && isDated(when);
    return { event, key: `${index}.${count.period}.${count.number}`, at, action, isKnown };
  }

  #transfer(event: TransferEvent, time: Time): Happening[] {
    const { index, date, count } = time;
    const { when } = event;
    const isKnown = isDated(when);
    const { drawnWith } = event;
    const other =
      drawnWith === undefined ? -1 : this.#life.persona.events.findIndex((each) => each.event === drawnWith);
    const drawnAs = other === -1 ? index : other;
    // It comes before the first run, or before the last one of the usual times: a month end on a Saturday has no run.
    const counted = 6 * hour + Math.floor(drawShare(this.#chance, drawnAs, 'time', count) * 9 * hour);
    const early =
      isDated(when) && when.rule === 'month end'
        ? 0
        : 4 * hour + Math.floor(drawShare(this.#chance, index, 'time', count) * hour);
    const ms = isKnown ? early : date === count.day ? counted : 4 * hour;
    const money = this.#money(event, { ...time, index: drawnAs });
    if (money.amount === 0n) return [];
    const account = this.#other(event.to);
    const party = account ?? this.#usualOf(event.parties ?? [], index, count, event.circle);
    const needsFunds = money.amount < 0n && party !== undefined;
    const isLate =
      event.hasKid === true && money.amount < 0n && drawShare(this.#chance, index, 'valueDate', count) > 0.6;
    const valueDate = isLate
      ? nextBankingDay(date, this.#almanac.calendar)
      : isKnown || 'everyOpenDay' in when
        ? date
        : count.day;
    const invoice = (): Invoice => this.#invoice(index, count, party, money.amount > 0n);
    const details: TransactionDetails = {
      ...this.#texts(event, index, count, invoice),
      ...(event.hasKid === true && {
        remittanceInformationStructuredArray: [kidOfInvoice(invoice(), event.isKidWrong)],
      }),
      ...(party !== undefined && this.parties(party, money.amount)),
      ...(event.mandateId !== undefined && { mandateId: event.mandateId }),
      ...money.details,
    };
    const booking = { amount: money.amount, to: account?.account, bookingDate: date, valueDate, details };
    const at = this.instant(date, Math.min(ms, this.#lastRun));
    const once = this.#happening(event, time, at, { kind: 'post', needsFunds, ...booking });
    const { againAfterDays: days } = event;
    if (days === undefined) return [once];
    const day = this.#lastBookingDay(addDays(date, days - 1), date);
    const action = { kind: 'post', needsFunds, ...booking, bookingDate: day, valueDate: day } as const;
    const later = this.#happening(event, time, this.instant(day, Math.min(4 * hour, this.#lastRun)), action);
    return [once, { ...later, key: `${once.key}${again}`, isKnown: false }];
  }

  /** The amount of a transfer. With `drawnWith` it is in proportion to the amount of the other event. */
  #money(event: TransferEvent, drawnAs: Time): ReturnType<typeof amountOn> {
    const { persona } = this.#life;
    const other = event.drawnWith === undefined ? undefined : persona.events[drawnAs.index];
    if (other === undefined || !('amount' in other) || other.kind === 'left over')
      return amountOn(this.#chance, event, drawnAs);
    // The proportion is that of the file's amounts.
    const otherThen = eventIn(persona, drawnAs.index, monthNumber(drawnAs.count.day)) as typeof other;
    const { amount } = amountOn(this.#chance, otherThen, drawnAs);
    return { amount: inRatio(amount, ore(event.amount), ore(other.amount)), details: {} };
  }

  /** The account of the household with this role, as a party of a transfer. */
  #other(role: Role | undefined): (Party & { readonly account: string }) | undefined {
    const other = role === undefined ? undefined : this.#life.others.find((each) => each.role === role);
    return other && { name: other.holder, account: other.account };
  }

  #texts(
    { text, texts, seasons, code }: Pick<TransferEvent, 'text' | 'texts' | 'seasons' | 'code'>,
    index: number,
    count: Count,
    invoice?: () => Invoice,
  ) {
    const usual = texts?.[this.#placeOfText(texts.length, index, count)] ?? text;
    const season = seasons?.find((one) => one.text === usual);
    const isOut = season !== undefined && !isInSeason(season, count.day, this.#almanac.calendar);
    const form = isOut ? season.instead : usual;
    const said = form?.includes('{')
      ? form.replace('{day}', dayAndMonth(count.day)).replace('{number}', `${invoice?.().number ?? ''}`)
      : form;
    return {
      ...(said !== undefined && { remittanceInformationUnstructured: said }),
      ...(code !== undefined && { bankTransactionCode: code }),
    };
  }

  /**
   * Draws the place of a text. Within a year no text comes again before all others have come, and none comes twice
   * running.
   */
  #placeOfText(texts: number, index: number, { inYear: { number, of, year } }: Count): number {
    const placeOf = (time: number, inYear = year): number =>
      this.#chance.shuffled(time % texts, texts, -2 - index, 1_000 * inYear + Math.floor(time / texts));
    const inRound = number % texts;
    const first = number - inRound;
    if (inRound > 1 || texts < 2) return placeOf(number);
    // If a round begins as the one before ended, its first two change places.
    const isAgain = placeOf(first) === (first === 0 ? placeOf(of - 1, year - 1) : placeOf(first - 1));
    return placeOf(isAgain ? first + 1 - inRound : number);
  }

  parties({ name, account }: Party, amount: bigint): TransactionDetails {
    const own = { name: this.#life.holder, number: this.#own };
    const other = { name, number: account === undefined ? null : accountMember(account) };
    const [creditor, debtor] = amount < 0n ? [other, own] : [own, other];
    return {
      creditorName: creditor.name,
      ...(creditor.number !== null && { creditorAccount: creditor.number }),
      debtorName: debtor.name,
      ...(debtor.number !== null && { debtorAccount: debtor.number }),
    };
  }

  /**
   * Each payee numbers its invoices in one series, and the account holder numbers his own in another. A series rises
   * each day, in some months by much more than in others. It has its own lengths of the two numbers.
   */
  #invoice(index: number, { day, number }: Count, party: Party | undefined, isOwn: boolean): Invoice {
    const payee = Number(party?.account ?? index);
    const series = isOwn ? 0 : payee;
    const drawnBy = (...places: [number, number?]): number => this.#chance(purposes.kid, ...places);
    const digits = 4 + Math.floor(drawnBy(series) * 7);
    const customer = Math.floor((0.1 + 0.9 * drawnBy(payee, 1)) * 10 ** digits);
    const aDay = isOwn ? 3 : 3 + Math.floor(drawnBy(series, 2) ** 3 * 60);
    // Four weeks have the numbers of 56 days, and begin anywhere in the first 28.
    const [weeks, rest] = [Math.floor(epochDay(day) / 28), epochDay(day) % 28];
    const days = 56 * weeks + Math.floor(28 * drawnBy(series, weeks)) + rest;
    const ofDay = (Math.floor(drawnBy(series, -epochDay(day)) * aDay) + index + number) % aDay;
    const begins = Math.floor(drawnBy(series, 3) * 50_000);
    return { customer, number: begins + days * aDay + ofDay, length: 7 + (digits % 3) };
  }

  purchase(event: CardPurchase, time: Time, isAwaited = false): Happening[] {
    const { index, date, count } = time;
    const { card } = event;
    const booked = bookingDay(this.#almanac.bookingDays(date, card), drawShare(this.#chance, index, 'lag', count));
    const isAtOnce = booked === date;
    const late = drawShare(this.#chance, index, 'time', count);
    const ms = 7 * hour + Math.floor(late * (isAtOnce ? 6 : 14) * hour);
    const at = this.instant(date, isAtOnce ? Math.min(ms, this.#lastRun) : ms);
    const bookedAt = this.instant(booked, isAtOnce ? Math.min(15 * hour, this.#lastRun) : 0);
    const shop = this.#usualOf(event.shops, index, count) ?? '';
    const money = amountOn(this.#chance, event, time);
    if (money.amount === 0n) return [];
    const code = event.code ?? isoCodes[card];
    const happening = (when: Instant, action: LifeAction) => this.#happening(event, time, when, action);
    const valueDate = valueDay(card, booked, drawShare(this.#chance, index, 'valueDate', count));
    const own = this.#isCardReplaced ? { additionalInformation: `Kort *${this.#card(date)}` } : {};
    const text = this.#textOfPurchase(card, date, shop, money);
    const details = { remittanceInformationUnstructured: text, bankTransactionCode: code, ...own, ...money.details };
    const booking = { amount: money.amount, bookingDate: booked, valueDate, details };
    if (money.amount > 0n) return [happening(bookedAt, { kind: 'post', needsFunds: false, ...booking })];
    const reserved = event.reserved === undefined ? money.amount : ore(event.reserved);
    const reservedDetails = { remittanceInformationUnstructured: shop, bankTransactionCode: code, ...own };
    const refund = this.refund(event, time, booking);
    const reserve = {
      ...happening(at, { kind: 'reserve', amount: reserved, valueDate: date, details: reservedDetails }),
      ...((isAwaited || refund !== null) && { isAwaited: true }),
    };
    if (event.lapsesAfterDays !== undefined)
      return [reserve, happening(this.instant(addDays(date, event.lapsesAfterDays), 0), { kind: 'release' })];
    return [reserve, happening(bookedAt, { kind: 'book', ...booking }), ...(refund === null ? [] : [refund])];
  }

  /** What the shop pays back of a purchase, at most 20 days after it. Null if that is nothing. */
  refund(event: CardPurchase, time: Time, bought: EventBooking, isWhole = false): Happening | null {
    const { index, count } = time;
    const { refundsPerYear = 0 } = event;
    const luck = drawShare(this.#chance, index, 'refund', count);
    const share = refundsPerYear / count.inYear.of;
    if (!isWhole && luck >= share) return null;
    // Two of three refunds are of all of it.
    const part = isWhole ? 1 : Math.min(1, 0.3 + (luck / share) * 2.1);
    const whole = -bought.amount;
    const returned = (whole * BigInt(Math.round(part * 20))) / 20n;
    // A part of what cost whole kroner is a price too: so many tens of kroner less one.
    const isPrice = whole % 100n === 0n && returned < whole;
    const back = isPrice ? returned - (returned % 1_000n) - 100n : returned;
    const amount = back > 0n ? back : whole;
    const date = this.#lastBookingDay(addDays(bought.bookingDate, 1 + Math.floor(part * 5)), bought.bookingDate);
    const shop = this.#usualOf(event.shops, index, count) ?? '';
    const text = this.#textOfPurchase(event.card, date, shop, { amount, details: {} });
    const { currencyExchange: _rate, originalAmount: _paid, ...inNok } = bought.details;
    const details = { ...inNok, remittanceInformationUnstructured: text };
    const booking = { amount, bookingDate: date, valueDate: date, details };
    const action = { kind: 'post', needsFunds: false, ...booking } as const;
    const at = this.instant(date, Math.min(4 * hour, this.#lastRun));
    const { key, ...happening } = this.#happening(event, time, at, action);
    return { ...happening, key: `${key}.refund`, hangsOn: key };
  }

  /** The last day on which a purchase of this day can be booked. */
  #lastBookingDay(date: LocalDate, otherwise: LocalDate): LocalDate {
    return this.#almanac.bookingDays(date, 'domestic').days.at(-1) ?? otherwise;
  }

  /** `12.03 KIOSK`. A purchase by card number also tells card, amount and rate, in NOK too (register 26). */
  #textOfPurchase(
    kind: CardKind,
    date: LocalDate,
    text: string,
    { amount: minor, details }: ReturnType<typeof amountOn>,
  ): string {
    const day = dayAndMonth(date);
    if (kind === 'domestic') return `${day} ${text}`;
    const paid = details.originalAmount ?? formattedAmount({ minor, currency: 'NOK' });
    const rate = Number(details.currencyExchange?.[0]?.exchangeRate ?? 1);
    return textForms.bien.card({ day, text, card: this.#card(date), paid, rate, isByNumber: true, isPending: false });
  }

  /** Last digits of the card that paid on a day. */
  #card(date: LocalDate): string {
    const { occasions = [] } = this.#life.persona;
    const number = occasions.filter(({ what, on }) => what === 'card replaced' && on <= date).length;
    return String(Math.floor(this.#chance(purposes.card, number) * 10_000)).padStart(4, '0');
  }

  #order(event: StandingOrderEvent, time: Time): Happening {
    const { date, count } = time;
    const initiation = initiationOfOrder(event, this.#life);
    const debtor = { name: this.#life.holder, bban: null, iban: null, ...this.#own };
    const details = detailsOfPayment(initiation, debtor);
    const amount = -ore(event.amount);
    const booking = { amount, to: this.#other(event.to)?.account, bookingDate: date, valueDate: date, details };
    return this.#happening(event, time, this.instant(date, 0), { kind: 'order', wanted: count.day, ...booking });
  }

  /**
   * Draws one of these, some more often than others. An account has its own favourites, at the same places in all lists
   * of one length.
   */
  #usualOf<Item>(items: readonly Item[], index: number, count: Count, circle = items.length): Item | undefined {
    const luck = drawShare(this.#chance, index, 'party', count);
    const rank = Math.floor(luck * luck * Math.min(circle, items.length));
    let favourites = this.#favourites.get(items.length);
    if (favourites === undefined) this.#favourites.set(items.length, (favourites = []));
    return items[(favourites[rank] ??= this.#chance.shuffled(rank, items.length, -1, items.length))];
  }
}

interface Invoice {
  readonly customer: number;
  readonly number: number;
  /** The digits of its number in a KID. */
  readonly length: number;
}

/** The customer, the invoice and the check digit. */
function kidOfInvoice({ customer, number, length }: Invoice, isWrong = false) {
  const right = kidOf(`${customer}${String(number).padStart(length, '0')}`, 'MOD10');
  const reference = isWrong ? `${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}` : right;
  return { reference, referenceType: 'SCOR' as const };
}

/** A standing order as its payment is initiated, from this account. */
export function initiationOfOrder(
  { party, text, amount, to }: StandingOrderEvent,
  { account, others }: Pick<Life, 'account' | 'others'>,
): CreditTransferInitiation {
  const other = to && others.find(({ role }) => role === to);
  return {
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: { ...accountMember(account), currency: 'NOK' },
    creditorAccount: { ...accountMember(other?.account ?? party.account ?? ''), currency: 'NOK' },
    creditorName: party.name,
    remittanceInformationUnstructured: text,
  };
}

/**
 * The day from which a standing order pays, so that it pays nothing up to and including `paidThrough`: a day of its
 * month, which a closed day may move.
 */
export function beginningOfOrder(
  { when }: StandingOrderEvent,
  { seed, account }: Pick<Life, 'seed' | 'account'>,
  paidThrough: LocalDate,
  calendar: BankingCalendar,
): { readonly startDate: LocalDate; readonly day: number } {
  const dayIndex = keptDay(when.days.length, chanceOf(seed, account));
  const day = when.days[dayIndex] ?? 1;
  let month = monthNumber(paidThrough) - 1;
  while ((datesIn(when, month, calendar)[dayIndex] ?? paidThrough) <= paidThrough) month += 1;
  return { startDate: dateInMonth(month, day), day };
}

/** The text and the code of what the bank itself books. */
export function textsOfBank({ text, code }: InterestOrFee): TransactionDetails {
  return { remittanceInformationUnstructured: text, ...(code !== undefined && { bankTransactionCode: code }) };
}

/** The number of an account, as a body has it. */
export function accountMember(account: string): { readonly bban: string } | { readonly iban: string } {
  return isBban(account) ? { bban: account } : { iban: account };
}
