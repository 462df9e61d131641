import { type BankingCalendar, isBankingDay, nextOrSame, previousOrSame } from '../../time/rules/banking-calendar.ts';
import { fromLocal, type Instant, msPerDay } from '../../values/instant.ts';
import {
  addDays,
  dateInMonth,
  dayOf,
  daysInMonth,
  epochDay,
  type LocalDate,
  monthDay,
  monthNumber,
  monthOf,
  weekday,
  weekdayOf,
  yearOf,
} from '../../values/local-date.ts';
import { type BookingDays, bookingDays, isSaturdayAtMonthEnd } from './card-lags.ts';
import { type Chance, purposes } from './chance.ts';
import {
  type CardKind,
  type ClosedOn,
  type Counted,
  type Dated,
  isDated,
  type LifeEvent,
  type Persona,
  type Season,
  type Trips,
} from './persona.ts';

/** An event on a known day: its place in the persona, and for one with several days which of them this is. */
export interface DatedEvent {
  readonly index: number;
  /** It is null if the event has one day only. */
  readonly option: { readonly number: number; readonly of: number } | null;
  /** The month in which its day lies before it is moved, see {@link monthNumber}. */
  readonly month: number;
}

/**
 * The days whose events happen on a day; each list is made when it is first asked for, as many days are only booked on.
 */
interface DayOfLife {
  readonly lists: Partial<Record<Timing, readonly DayInPeriods[]>>;
  /** By kind of card: when purchases of the day are booked. */
  readonly bookingDays: Partial<Record<CardKind, BookingDays>>;
  readonly midnight: Instant | null;
  isBeforeHolidays?: boolean;
}

/**
 * Which days' events happen on a day: `booked`, those of {@link daysBookedOn}; `settled`, those since the last banking
 * day on which shops were open; else those of {@link daysOfPurchase}, by the days on which the seller is closed.
 */
type Timing = 'booked' | 'settled' | 'never' | ClosedOn;

function daysOn(date: LocalDate, timing: Timing, calendar: BankingCalendar): LocalDate[] {
  if (timing === 'never') return [date];
  if (timing !== 'booked' && timing !== 'settled') return daysOfPurchase(date, timing, calendar);
  const booked = daysBookedOn(date, calendar);
  if (timing === 'booked') return booked;
  return booked.map((day) => addDays(day, -1)).filter((day) => !isClosed(day, 'holidays and Christmas Eve', calendar));
}

export interface CountedEvent {
  readonly index: number;
  readonly event: LifeEvent;
  readonly when: Counted;
  readonly timing: Timing;
}

const needsTheBank: ReadonlySet<unknown> = new Set<LifeEvent['kind']>([
  'bulk',
  'left over',
  'interest',
  'overdraft interest',
  'fee for failed orders',
]);

type Days = ReadonlyMap<LocalDate, readonly DatedEvent[]>;

/**
 * The dated events of a persona by their days. All lives of a persona share it, so that a month's days are worked out
 * once.
 */
export class Almanac {
  readonly #persona: Persona;
  readonly calendar: BankingCalendar;
  /** Days on which an account moves. */
  readonly #moves: ReadonlySet<LocalDate>;
  readonly #months = new Map<number, Days>();
  readonly #days = new Map<LocalDate, DayOfLife>();
  /** The day that was asked for last: all events of a life ask for the same one. */
  #last: { readonly date: LocalDate; readonly day: DayOfLife } | null = null;
  /** The events that are counted, with their places in the persona. */
  readonly counted: readonly CountedEvent[];

  constructor(persona: Persona, calendar: BankingCalendar) {
    this.#persona = persona;
    this.calendar = calendar;
    this.#moves = new Set((persona.occasions ?? []).flatMap(({ what, on }) => (what === 'account moved' ? [on] : [])));
    const counted = persona.events.flatMap((event, index): CountedEvent[] => {
      const { kind, when } = event;
      if ((kind !== 'transfer' && kind !== 'card') || isDated(when)) return [];
      const paid = 'everyOpenDay' in when ? 'settled' : 'booked';
      return [{ index, event, when, timing: kind === 'transfer' ? paid : (when.closedOn ?? 'never') }];
    });
    // What comes each week goes before what may be left out before holidays.
    this.counted = counted.toSorted((one, other) => +('everyWeek' in other.when) - +('everyWeek' in one.when));
  }

  /** The dated events on this day, in the order of the persona. A moved day may lie in the month before or after. */
  on(date: LocalDate): readonly DatedEvent[] {
    const month = monthNumber(date);
    const found: DatedEvent[] = [];
    for (const near of [month - 1, month, month + 1]) {
      const there = this.#daysOf(near).get(date);
      if (there !== undefined) found.push(...there);
    }
    return found.length > 1 ? found.toSorted((one, other) => one.index - other.index) : found;
  }

  /**
   * The first day after this one, and before `limit`, on which any account gets interest, fees or salaries to pay; else
   * `limit`.
   */
  nextSettlement(after: LocalDate, limit: LocalDate): LocalDate {
    for (let day = addDays(after, 1); day < limit; day = addDays(day, 1)) {
      if (this.#moves.has(day)) return day;
      if (this.on(day).some(({ index }) => needsTheBank.has(this.#persona.events[index]?.kind))) return day;
    }
    return limit;
  }

  /** The days whose events with this timing happen on a day. */
  daysOn(date: LocalDate, timing: Timing): readonly DayInPeriods[] {
    return (this.#day(date).lists[timing] ??= daysOn(date, timing, this.calendar).map(inPeriods));
  }

  /** Whether two closed days of shops follow on this day or on the next one. */
  isBeforeHolidays(date: LocalDate): boolean {
    const day = this.#day(date);
    const closed = (after: number): boolean => isClosed(addDays(date, after), 'holidays', this.calendar);
    return (day.isBeforeHolidays ??= closed(2) && (closed(1) || closed(3)));
  }

  /** When purchases of a day are booked. */
  bookingDays(date: LocalDate, card: CardKind): BookingDays {
    return (this.#day(date).bookingDays[card] ??= bookingDays(card, date, this.calendar));
  }

  /** The midnight of a day; null on the day of a clock change, whose hours are not counted from it. */
  midnight(date: LocalDate): Instant | null {
    return this.#day(date).midnight;
  }

  #day(date: LocalDate): DayOfLife {
    if (this.#last?.date === date) return this.#last.day;
    let day = this.#days.get(date);
    if (day === undefined) {
      const [midnight, next] = [fromLocal(date, 0), fromLocal(addDays(date, 1), 0)];
      // The past of a year asks for a few more days than a year has.
      if (this.#days.size > 800) this.#days.clear();
      day = { lists: {}, bookingDays: {}, midnight: next - midnight === msPerDay ? midnight : null };
      this.#days.set(date, day);
    }
    this.#last = { date, day };
    return day;
  }

  #daysOf(month: number): Days {
    let days = this.#months.get(month);
    if (days === undefined) {
      // Twenty years of months are a few hundred kilobytes.
      if (this.#months.size > 240) this.#months.clear();
      this.#months.set(month, (days = daysOfMonth(this.#persona, month, this.calendar)));
    }
    return days;
  }
}

function daysOfMonth(persona: Persona, month: number, calendar: BankingCalendar): Days {
  const days = new Map<LocalDate, DatedEvent[]>();
  persona.events.forEach(({ when }, index) => {
    if (!isDated(when)) return;
    const ofMonth = datesIn(when, month, calendar);
    ofMonth.forEach((date, number) => {
      const option = ofMonth.length === 1 ? null : { number, of: ofMonth.length };
      const event = { index, option, month };
      const there = days.get(date);
      if (there === undefined) days.set(date, [event]);
      else there.push(event);
    });
  });
  return days;
}

/** The days of a dated event in a month, one for each of its options; none in a month that it leaves out. */
export function datesIn({ days, rule, months }: Dated, month: number, calendar: BankingCalendar): readonly LocalDate[] {
  if (months !== undefined && !months.includes((month % 12) + 1)) return [];
  return days.map((day) => {
    const date = dateInMonth(month, day);
    if (rule === 'month end') return isSaturdayAtMonthEnd(date, calendar) ? date : previousOrSame(date, calendar);
    return rule === 'preceeding' ? previousOrSame(date, calendar) : nextOrSame(date, calendar);
  });
}

/**
 * Which of several days an account keeps: the same for every event with as many, as salary and holiday pay have one
 * payer.
 */
export function keptDay(days: number, chance: Chance): number {
  return Math.floor(chance(purposes.day, days) * days);
}

/** One of the times of a counted event in its month or year. */
export interface Count {
  /** From 0. */
  readonly number: number;
  /** The number of its month, or its year. */
  readonly period: number;
  /** The day on which it falls; a bank or a shop may be closed then. */
  readonly day: LocalDate;
  /** Its place among all times of its year. */
  readonly inYear: { readonly number: number; readonly of: number; readonly year: number };
}

/** A day's place in its month and its year. */
interface DayInPeriods {
  readonly day: LocalDate;
  readonly month: OccasionPlace;
  readonly year: OccasionPlace;
}

interface OccasionPlace {
  /** The number of the month, or the year. */
  readonly period: number;
  /** In days. */
  readonly length: number;
  /** Days of it before this one. */
  readonly before: number;
}

/** The places of a day, which all counted events of the day share. */
function inPeriods(day: LocalDate): DayInPeriods {
  const year = yearOf(day);
  const first = epochDay(monthDay(year, 1, 1));
  return {
    day,
    month: { period: monthNumber(day), length: daysInMonth(year, monthOf(day)), before: dayOf(day) - 1 },
    year: { period: year, length: epochDay(monthDay(year + 1, 1, 1)) - first, before: epochDay(day) - first },
  };
}

/**
 * The times of a counted event on given days. They are spread over the month or year: each has its own part of it, and
 * its day in this part follows from the seed, so that the periods before need not be known. The days of the last period
 * are kept.
 */
export function timesOf(
  { index, when }: CountedEvent,
  chance: Chance,
  calendar: BankingCalendar,
): (days: readonly DayInPeriods[]) => readonly Count[] {
  const [isMonthly, isDaily, isWeekly] = ['perMonth' in when, 'everyOpenDay' in when, 'everyWeek' in when];
  const of = 'perMonth' in when ? when.perMonth : 'perYear' in when ? when.perYear : 0;
  const months = 'perMonth' in when ? when.months : undefined;
  const weekdays = 'weekdays' in when ? when.weekdays : undefined;
  let known = Number.NaN;
  /** The numbers of the times of the last period by their day, counted from its first one. */
  let numbers: readonly (readonly number[] | undefined)[] = [];
  const numbersIn = ({ period, before, length: days }: OccasionPlace, day: LocalDate): typeof numbers => {
    const found: number[][] = [];
    if (months?.includes((period % 12) + 1) === false) return found;
    // What December alone has is over on Christmas Eve.
    const length = months?.join() === '12' ? 24 : days;
    const drawn = chance.after(index, purposes.day, period);
    const first = epochDay(day) - before;
    for (let number = 0; number < of; number += 1) {
      let place = Math.floor(((number + drawn(number)) / of) * length);
      if (weekdays !== undefined) {
        const fitting: number[] = [];
        const end = Math.ceil(((number + 1) / of) * length);
        for (let each = Math.ceil((number / of) * length); each < end; each += 1)
          if (weekdays.includes(weekdayOf(first + each))) fitting.push(each);
        place = fitting[Math.floor(drawn(number) * fitting.length)] ?? place;
      }
      (found[place] ??= []).push(number);
    }
    return found;
  };
  const countsOn = ({ day, month, year }: DayInPeriods): readonly Count[] => {
    if (isDaily || isWeekly) {
      if (isWeekly && !isShoppingDay(index, day, chance, calendar)) return none;
      const place = isWeekly
        ? { number: Math.floor(year.before / 7), of: 53 }
        : { number: year.before, of: year.length };
      return [{ number: month.before, period: month.period, day, inYear: { ...place, year: year.period } }];
    }
    const place = isMonthly ? month : year;
    if (place.period !== known) [known, numbers] = [place.period, numbersIn(place, day)];
    const ofDay = numbers[place.before];
    if (ofDay === undefined) return none;
    const earlier = isMonthly ? (month.period % 12) * of : 0;
    return ofDay.map((number) => {
      const inYear = { number: earlier + number, of: isMonthly ? 12 * of : of, year: year.period };
      return { number, period: place.period, day, inYear };
    });
  };
  return (days) => {
    const [only] = days;
    return days.length === 1 && only !== undefined ? countsOn(only) : days.flatMap(countsOn);
  };
}

/** Most events have no time on a day. */
const none: readonly Count[] = [];

/** Whether a text with a season is sent on a day. */
export function isInSeason({ from, to }: Season, day: LocalDate, calendar: BankingCalendar): boolean {
  const at = day.slice(5);
  const isIn = from <= to ? from <= at && at <= to : from <= at || at <= to;
  return isIn && !isClosed(day, 'high holidays and Christmas Eve', calendar);
}

/** Whether the shopping of the week is done on a day: its Friday, or its Saturday, as if shops close on the Friday. */
function isShoppingDay(index: number, day: LocalDate, chance: Chance, calendar: BankingCalendar): boolean {
  const place = weekday(day);
  if (place !== 5 && place !== 6) return false;
  const friday = place === 5 ? day : addDays(day, -1);
  const isFriday = chance(index, purposes.day, epochDay(friday)) < 0.4 && !isClosed(friday, 'holidays', calendar);
  return isFriday === (place === 5);
}

/**
 * The days whose transfers are booked on this day: itself and the closed days before it, none if it is closed (register
 * 23).
 */
function daysBookedOn(date: LocalDate, calendar: BankingCalendar): LocalDate[] {
  if (!isBankingDay(date, calendar)) return [];
  const days = [date];
  for (let day = addDays(date, -1); !isBankingDay(day, calendar); day = addDays(day, -1)) days.unshift(day);
  return days;
}

/**
 * The names in the calendar of the days on which sellers are closed. A day may have two: `Grunnlovsdagen / Første
 * pinsedag`.
 */
const closures: Readonly<Record<ClosedOn, RegExp>> = {
  'high holidays': /Første|Langfredag/,
  'high holidays and Christmas Eve': /Første|Langfredag|Julaften/,
  holidays: /^(?!Saturday$|Julaften$)./,
  'holidays and Christmas Eve': /^(?!Saturday$)./,
  weekends: /./,
};

function isClosed(day: LocalDate, closed: ClosedOn, calendar: BankingCalendar): boolean {
  const closure = calendar.closure(day);
  return closure !== null && closures[closed].test(closure);
}

/**
 * The days whose purchases are made on this day: itself and the closed days after it, none if it is closed. Who is
 * closed on weekends has none.
 */
function daysOfPurchase(date: LocalDate, closed: ClosedOn, calendar: BankingCalendar): LocalDate[] {
  if (isClosed(date, closed, calendar)) return [];
  if (closed === 'weekends') return [date];
  const days = [date];
  for (let day = addDays(date, 1); isClosed(day, closed, calendar); day = addDays(day, 1)) days.push(day);
  return days;
}

/** A journey abroad. Days are included. */
export interface Trip {
  readonly index: number;
  readonly event: Trips;
  readonly month: number;
  readonly place: Trips['places'][number];
  /** The day on which the ticket is bought. */
  readonly fareDay: LocalDate;
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** The trip of an event in a month. Null if there is none in this month. It begins and ends within the month. */
export function tripIn(event: Trips, index: number, month: number, chance: Chance): Trip | null {
  if (!event.when.months.includes((month % 12) + 1)) return null;
  const drawn = (purpose: number): number => chance(index, purposes.trip, month, purpose);
  const place = event.places[Math.floor(drawn(0) * event.places.length)];
  if (place === undefined) return null;
  const [shortest, longest] = place.days;
  const days = shortest + Math.floor(drawn(1) * (longest - shortest + 1));
  const first = dateInMonth(month, 1);
  const room = daysInMonth(yearOf(first), monthOf(first)) - days;
  const from = addDays(first, Math.floor(drawn(2) * (room + 1)));
  const fareDay = addDays(from, -3 - Math.floor(drawn(3) * 18));
  return { index, event, month, place, fareDay, from, to: addDays(from, days - 1) };
}
