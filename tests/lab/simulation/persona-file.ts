import { readFileSync } from 'node:fs';
import type { Amounts, PersonaFile } from '../../../engine/life/rules/persona.ts';
import { dayAfter, isDayOfExecution, isHighHoliday, isHoliday, kept, weekdayOf } from './days.ts';
import { halfEven, ore } from './money.ts';
import { bankingDayFrom } from './terms.ts';

/* The files of personas, read here a second time: what a life may do, and on which days. Only the types of a file are the bank's. */

/** One with an amount, where its kind has one. */
export type FileEvent = PersonaFile['events'][number] & Amounts;
type When = FileEvent['when'];
export type Place = NonNullable<FileEvent['places']>[number];

/** An entry of an event, or a reservation: `booked` null. */
export interface Posted {
  readonly event: FileEvent;
  /** The same with the amounts of its month. */
  readonly priced: FileEvent;
  readonly period: number;
  readonly number: number;
  readonly amount: bigint;
  readonly booked: string | null;
  /** The day of a purchase, as its text tells it. */
  readonly bought: string;
  readonly details: Details;
}

export interface Details {
  readonly remittanceInformationUnstructured?: string;
  readonly originalAmount?: { readonly amount: string };
  readonly currencyExchange?: readonly [{ readonly exchangeRate: string }];
}

const fileOf = kept((persona: string) => {
  const file = JSON.parse(readFileSync(`fixtures/personas/${persona}.json`, 'utf8')) as PersonaFile;
  return { events: file.events as readonly FileEvent[], rises: file.rises ?? [] };
});

/** The events of a listed persona. */
export function eventsOf(persona: string): readonly FileEvent[] {
  return fileOf(persona).events;
}

/** An event of a listed persona with the amounts of a month (L14). */
export function pricedIn(persona: string, event: FileEvent, period: number): FileEvent {
  const rise = fileOf(persona).rises.find(({ categories }) => categories.some((one) => one === event.category));
  const { kind, foreign, drawnWith, roundTo = '1.00' } = event;
  if (rise === undefined || !['transfer', 'card', 'bulk'].includes(kind)) return event;
  if (foreign !== undefined || drawnWith !== undefined) return event;
  const { since, percent, paidLater = 0 } = rise;
  const late = period - periodOf(since) - paidLater;
  const step = Number(roundTo);
  const risen = (amount: string): string => {
    const after = (years: number): number =>
      Number(amount) + Math.trunc((Number(amount) * ((1 + Number(percent) / 100) ** years - 1)) / step) * step;
    const [last, now] = [after(Math.floor(late / 12) - 1), after(Math.floor(late / 12))];
    return (now + (late % 12 === 0 ? paidLater * (now - last) : 0)).toFixed(2);
  };
  return {
    ...event,
    ...(event.payees === undefined
      ? { amount: risen(event.amount) }
      : { payees: event.payees.map((payee) => ({ ...payee, amount: risen(payee.amount) })) }),
    ...(event.upTo !== undefined && { upTo: risen(event.upTo) }),
  };
}

/** What may sell on Sundays and holidays (helligdagsfredloven § 5), and what needs nobody. */
export const sellsAlways =
  /KIOSK|BAKERI|KAFFE|KAFÉ|SPISERI|PIZZERIA|RISBOLLEN|BENSIN|DRIVSTOFF|BUSS|TOGLINJEN|FERGE|BÅTEN|SYKKEL|TILHENGER|MINIBANK|PUB|PARKERING|KINO|BADELAND|KONSERT|SKISENTER|HOTELL|LUNSJBAR|GJESTEGÅRD|NATTAPOTEK|VIPPS\*|KLARNA\*|\.EXAMPLE\b/;

/** Whether the file lets a text be sent on a day: in its season, and never on a high holiday or Christmas Eve (L9g). */
export function isSent({ seasons = [] }: FileEvent, text: string, day: string): boolean {
  const isIn = ({ from, to }: { readonly from: string; readonly to: string }): boolean => {
    const at = day.slice(5);
    const isYear = from <= to;
    const isHigh = isShut(day, 'high holidays and Christmas Eve');
    return !isHigh && (isYear ? at >= from && at <= to : at >= from || at <= to);
  };
  return seasons.every((season) => (season.text === text ? isIn(season) : season.instead !== text || !isIn(season)));
}

/** Whether its months, if it has some, have this one. */
export function isInSeason({ months }: When, period: number): boolean {
  return months?.includes((period % 12) + 1) !== false;
}

export type Dated = When & Required<Pick<When, 'days' | 'rule'>>;

/** The days of a dated event in a month, one for each of its options (L6, R6, register 25). */
export function daysOf(when: Dated, period: number): string[] {
  const { rule } = when;
  return wantedDaysOf(when, period).map((day) => {
    if (rule === 'month end') return isSaturdayAtMonthEnd(day) ? day : bankingDayFrom(day, -1);
    return bankingDayFrom(day, rule === 'preceeding' ? -1 : 1);
  });
}

/** The same before they are moved to banking days. */
export function wantedDaysOf(when: Dated, period: number): string[] {
  if (!isInSeason(when, period)) return [];
  return when.days.map((wanted) => daysOfMonth(period).find((one) => isDayOfExecution(one, wanted)) ?? '');
}

/** The days of a month or year in which one of so many times may lie: each has its own part. */
export function slotOf(
  { perMonth, perYear, months, weekdays }: When,
  { period, number }: Pick<Posted, 'period' | 'number'>,
): string[] {
  const isAdvent = perMonth !== undefined && months?.join() === '12';
  const days = perYear === undefined ? daysOfMonth(period).slice(0, isAdvent ? 24 : 31) : daysOfYear(period);
  const of = perMonth ?? perYear ?? days.length;
  const last =
    perMonth === undefined && perYear === undefined ? number : Math.ceil(((number + 1) * days.length) / of) - 1;
  const part = days.slice(Math.floor((number * days.length) / of), last + 1);
  return part.filter((day) => weekdays?.includes(weekdayOf(day) || 7) !== false);
}

/** Whether the amount of a line is one of the file's, at the rate that the line tells. */
export function isIn(
  { amount, details, period, number, event, booked }: Posted,
  { amount: from, upTo = from, roundTo, byMonth, byWeekday, foreign }: Amounts,
  times = 1,
): boolean {
  const { perYear, everyOpenDay } = event.when;
  const ofMonth = byMonth !== undefined && perYear === undefined ? [byMonth[period % 12] ?? 100] : (byMonth ?? [100]);
  const weekday = everyOpenDay === true ? (weekdayOf(daysOfMonth(period)[number] ?? '') + 6) % 7 : null;
  const ofWeekday = weekday === null ? (byWeekday ?? [100]) : [byWeekday?.[weekday] ?? 100];
  const percents = ofMonth.flatMap((one) => ofWeekday.map((other) => one * other));
  const unit = roundTo === undefined ? 1n : ore(roundTo);
  const bounds = [ore(from), ore(upTo)].flatMap((one) =>
    percents.map(
      (percent) => (percent === 10_000 ? one : ((one * BigInt(percent)) / 10_000n / unit) * unit) * BigInt(times),
    ),
  );
  const [low, high] = [bounds.reduce((a, b) => (a < b ? a : b)), bounds.reduce((a, b) => (a > b ? a : b))];
  let paid = amount;
  if (foreign !== undefined && booked === null) return true;
  if (foreign !== undefined) {
    const rate = details.currencyExchange?.[0].exchangeRate ?? '0';
    const moved = Number(rate) / Number(foreign.rate);
    const original = ore(details.originalAmount?.amount ?? '0');
    const [digits, scale] = [BigInt(rate.replace('.', '')), BigInt(10 ** (rate.split('.')[1] ?? '').length)];
    const charged = halfEven((original < 0n ? -original : original) * digits, scale) * (original < 0n ? -1n : 1n);
    if (charged !== amount || moved < 0.9799 || moved > 1.0201) return false;
    paid = original;
  }
  // Steps go from the smaller end.
  const step = byMonth === undefined ? (paid < 0n ? paid - high : paid - low) : paid;
  return paid >= low && paid <= high && step % (unit * BigInt(times)) === 0n;
}

/** Whether a purchase of a trip is one of the file's, on the day that its number says; the nights have the last number. */
export function isOfTrip(line: Posted, { perDay, purchases, lodging }: Place, length: number, from: string): boolean {
  const { number, bought } = line;
  if (number === length * perDay + 1)
    return lodging !== undefined && isIn(line, lodging, length - 1) && bought === dayAfter(from, length - 1);
  return purchases.some((one) => isIn(line, one)) && dayAfter(from, Math.floor((number - 1) / perDay)) === bought;
}

/** Whether the amount is of something that is paid at a place, for whatever number of nights. */
export function isAt(line: Posted, { days: [, most], purchases, lodging }: Place): boolean {
  const nights = Array.from({ length: most - 1 }, (_, night) => night + 1);
  const isNights = lodging !== undefined && nights.some((times) => isIn(line, lodging, times));
  return isNights || purchases.some((one) => isIn(line, one));
}

/** Which part of all amounts of a range, from 0 to 1, is smaller than this one (rules.md L9). */
export function placeIn(amount: bigint, from: number, upTo: number): number {
  const [low, high] = [Math.min(Math.abs(from), Math.abs(upTo)), Math.max(Math.abs(from), Math.abs(upTo))];
  const share = (Math.abs(Number(amount)) - low) / (high - low);
  const skew = Math.max(0, 1 - (2 * low) / high);
  const even = skew === 0 ? share : (Math.sqrt((1 - skew) ** 2 + 4 * skew * share) - (1 - skew)) / (2 * skew);
  return even < 0.5 ? 2 * even ** 2 : 1 - 2 * (1 - even) ** 2;
}

/** The number of a month, as keys have it. */
export function periodOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

export const daysOfMonth = kept((period: number): readonly string[] => {
  const first = `${Math.floor(period / 12)}-${String((period % 12) + 1).padStart(2, '0')}-01`;
  return Array.from({ length: 31 }, (_, day) => dayAfter(first, day)).filter((day) => periodOf(day) === period);
});

const daysOfYear = kept((year: number) =>
  Array.from({ length: 12 }, (_, month) => daysOfMonth(year * 12 + month)).flat(),
);

/** The last day on which a seller is open, up to a day. */
export function lastOpen(day: string, closedOn: When['closedOn']): string {
  return isShut(day, closedOn) ? lastOpen(dayAfter(day, -1), closedOn) : day;
}

/** Whether a seller is closed on a day. */
export function isShut(day: string, closedOn: When['closedOn']): boolean {
  const isEve = day.endsWith('12-24');
  if (closedOn === undefined) return false;
  if (isEve) return closedOn !== 'high holidays' && closedOn !== 'holidays';
  if (closedOn.startsWith('high')) return isHighHoliday(day);
  return weekdayOf(day) === 0 || isHoliday(day) || (closedOn === 'weekends' && weekdayOf(day) === 6);
}

/** Whether two closed days follow on a day, or on the next one: then people buy two things, and from one grocer. */
export function isBeforeHolidays(day: string): boolean {
  const [one, two, three] = [1, 2, 3].map((after) => isShut(dayAfter(day, after), 'holidays'));
  return two === true && (one === true || three === true);
}

export function isSaturdayAtMonthEnd(day: string): boolean {
  return weekdayOf(day) === 6 && !isHoliday(day) && periodOf(dayAfter(day, 1)) !== periodOf(day);
}
