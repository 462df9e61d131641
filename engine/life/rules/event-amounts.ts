import { formatExchange, type TransactionDetails } from '../../accounts/rules/transaction-details.ts';
import { assert } from '../../values/assert.ts';
import { type Amount, type Currency, formatAmount, parseAmount, absolute } from '../../values/money.ts';
import { dayOf, epochDay, type LocalDate, monthNumber, monthOf, weekday } from '../../values/local-date.ts';
import { convert, formatRate, parseRate } from '../../values/price-list.ts';
import { type Chance, purposes } from './chance.ts';
import type { Count } from './occasions.ts';
import type { Amounts, CardKind, LifeEvent, Persona, Rise } from './persona.ts';

/** A time of the event at a place of a persona, and the date on which it happens. */
export interface Time {
  readonly index: number;
  readonly count: Count;
  readonly date: LocalDate;
}

/** A number from 0 up to 1 for one purpose of one time of an event. */
export function drawShare(
  chance: Chance,
  index: number,
  purpose: keyof typeof purposes,
  { period, number }: Count,
): number {
  return chance(index, purposes[purpose], period, number);
}

/** `card`: of a purchase. */
type Drawable = Amounts & { readonly card?: CardKind };

/** The amounts of an event as they are drawn, in minor units of their currency. */
interface DrawnRange {
  readonly currency: Currency;
  readonly from: bigint;
  /** Steps in which percents change an amount. */
  readonly unit: bigint;
  readonly isRange: boolean;
  /** The least and the most, without their sign. */
  readonly low: number;
  readonly high: number;
  readonly isNegative: boolean;
  /** How much more often an amount is small than large. */
  readonly skew: number;
  readonly step: number;
  /** Prices at so many kroner and 90 øre. */
  readonly isBasket: boolean;
}

const drawnRanges = new WeakMap<Drawable, DrawnRange>();

/** The range of amounts, which all lives and times of an event share. */
function rangeOf(amounts: Drawable): DrawnRange {
  let range = drawnRanges.get(amounts);
  if (range === undefined) drawnRanges.set(amounts, (range = newRange(amounts)));
  return range;
}

function newRange({ amount, upTo, roundTo, foreign }: Drawable): DrawnRange {
  const currency = (foreign?.currency ?? 'NOK') as Currency;
  const from = minorInCurrency(amount, currency);
  const ends = [Number(from), Number(upTo === undefined ? from : minorInCurrency(upTo, currency))];
  const [low, high] = [Math.min(...ends.map(Math.abs)), Math.max(...ends.map(Math.abs))];
  const unit = (roundTo === undefined ? 1n : minorInCurrency(roundTo, currency)) || 1n;
  // Bounds in whole kroner are for amounts in whole kroner.
  const usual = ends.every((end) => end % 100 === 0) ? 100 : 1;
  const step = roundTo === undefined ? usual : Number(unit);
  const isBasket = currency === 'NOK' && roundTo === undefined && ends.every((end) => Math.abs(end % 100) === 90);
  const [isRange, isNegative] = [upTo !== undefined, ends.some((end) => end < 0)];
  return {
    currency,
    from,
    unit,
    isRange,
    low,
    high,
    isNegative,
    skew: Math.max(0, 1 - (2 * low) / high),
    step,
    isBasket,
  };
}

/** The amount in øre, and the members that tell of another currency. Zero: so little is no øre. */
export function amountOn(
  chance: Chance,
  amounts: Drawable,
  { index, count, date }: Time,
): { readonly amount: bigint; readonly details: TransactionDetails } {
  const { byMonth, byWeekday, foreign, times = 1 } = amounts;
  const range = rangeOf(amounts);
  const { currency, unit } = range;
  const drawn = range.isRange ? between(chance, range, amounts.card !== undefined, { index, count }) : range.from;
  const [ofMonth = 100, ofWeekday = 100] = [byMonth?.[monthOf(count.day) - 1], byWeekday?.[weekday(count.day) - 1]];
  const percents = ofMonth * ofWeekday;
  const shared = percents === 10_000 ? drawn : ((drawn * BigInt(percents)) / 10_000n / unit) * unit;
  const minor = times === 1 ? shared : shared * BigInt(times);
  if (foreign === undefined) return { amount: minor, details: {} };
  const [instructed, sign] = minor < 0n ? [-minor, -1n] : [minor, 1n];
  const rate = parseRate(foreign.rate);
  assert(rate !== null, 'the rates of a persona were checked');
  const moved = 9_800 + Math.floor(rateOn(chance, date, Number.parseInt(currency, 36)) * 401);
  const shown = { digits: rate.digits * BigInt(moved), scale: rate.scale + 4 };
  const charged = convert({ minor: instructed, currency }, shown, 'NOK').minor;
  const amount: Amount = { minor: sign * charged, currency: 'NOK' };
  const line = { amount, instructed: { minor: instructed, currency }, rate: formatRate(shown), quotationDate: date };
  return { amount: amount.minor, details: formatExchange(line) };
}

/**
 * Where the rate of a currency stands between its ends on a day, from 0 up to 1. It drifts from month to month, and
 * moves a little each day.
 */
function rateOn(chance: Chance, date: LocalDate, currency: number): number {
  const at = (place: number): number => chance(purposes.rate, place, currency);
  const [before, after] = [at(monthNumber(date)), at(monthNumber(date) + 1)];
  const part = (dayOf(date) - 1) / 31;
  return 0.9 * (before + part * (after - before)) + 0.1 * at(epochDay(date));
}

/**
 * Draws an amount of a range. Most amounts are near its middle; of a wide range more are small, as purchases are. The
 * times of a year each have their own part of the range, in shuffled order, so that all years cost about the same.
 */
function between(
  chance: Chance,
  { low, high, isNegative, skew, step, isBasket }: DrawnRange,
  isPurchase: boolean,
  { index, count }: Omit<Time, 'date'>,
): bigint {
  const { number, of, year } = count.inYear;
  const drawnPlace = (chance.shuffled(number, of, index, year) + drawShare(chance, index, 'amount', count)) / of;
  const luck = drawShare(chance, index, 'basket', count);
  // One purchase in six is one of a few usual ones, but for baskets, which are all different.
  const isUsual = isPurchase && !isBasket && luck > 5 / 6;
  const place = isUsual ? Math.round(drawnPlace * 12) / 12 : drawnPlace;
  const even = place < 0.5 ? Math.sqrt(place / 2) : 1 - Math.sqrt((1 - place) / 2);
  const wanted = low + even * (1 - skew + skew * even) * (high - low);
  const stepped = low + step * Math.min(Math.round((wanted - low) / step), Math.floor((high - low) / step));
  const minor = isBasket ? basketOf(wanted, luck, low, high) : stepped;
  return BigInt(isNegative ? -minor : minor);
}

/** A sum of things at so many kroner and 90 øre each; what is sold by weight, in one basket of seven, costs any øre. */
function basketOf(wanted: number, luck: number, low: number, high: number): number {
  const things = 1 + Math.floor((luck * wanted) / 2_500);
  const ore = luck < 1 / 7 ? Math.floor(luck * 700) : 10 * ((10_000 - things) % 10);
  return Math.min(high, Math.max(low, Math.floor(wanted / 100) * 100 + ore));
}

/** Amounts of personas by currency, as each is read again for every time of its event. */
const readAmounts = new Map<Currency, Map<string, bigint>>();

function minorInCurrency(text: string, currency: Currency): bigint {
  let read = readAmounts.get(currency);
  if (read === undefined) readAmounts.set(currency, (read = new Map()));
  const known = read.get(text);
  if (known !== undefined) return known;
  const amount = parseAmount(text, currency);
  assert(typeof amount !== 'string', `the amounts of a persona were checked: ${text} ${currency}`);
  if (read.size > 10_000) read.clear();
  read.set(text, amount.minor);
  return amount.minor;
}

/** What an event costs each time, zero or positive, in its own currency. Null if it is another amount each time. */
export function priceOf(event: LifeEvent): Amount | null {
  if (event.kind !== 'transfer' && event.kind !== 'card') return null;
  const currency = (event.foreign?.currency ?? 'NOK') as Currency;
  return event.upTo === undefined ? absolute({ minor: minorInCurrency(event.amount, currency), currency }) : null;
}

/** Events that rise, by month: all lives of a persona share them. */
const risenEvents = new WeakMap<LifeEvent, Map<number, LifeEvent>>();

/**
 * The event at a place of a persona, with the amounts that it has in a month, see {@link monthNumber} (rules.md L14).
 */
export function eventIn({ events, rises = [] }: Persona, index: number, month: number): LifeEvent {
  const event = events[index];
  assert(event !== undefined, 'a persona has the events of its almanac');
  const { category = 'other' } = event;
  const rise = rises.find(({ categories }) => categories.includes(category));
  if (rise === undefined) return event;
  let byMonth = risenEvents.get(event);
  if (byMonth === undefined) risenEvents.set(event, (byMonth = new Map()));
  let found = byMonth.get(month);
  if (found === undefined) byMonth.set(month, (found = risen(event, rise, month)));
  return found;
}

function risen(event: LifeEvent, { since, percent, paidLater = 0 }: Rise, month: number): LifeEvent {
  const months = month - monthNumber(since) - paidLater;
  const years = Math.floor(months / 12);
  const missing = months % 12 === 0 ? BigInt(paidLater) : 0n;
  const raised = (text: string, step = '1.00'): string => {
    const [start, unit] = [ore(text), ore(step)];
    // Whole steps, and towards zero: an amount keeps its øre, and never falls to nothing.
    const after = (years: number): bigint =>
      start + BigInt(Math.trunc((Number(start) * (growth(percent, years) - 1)) / Number(unit))) * unit;
    const now = after(years);
    return formatAmount({ minor: now + missing * (now - after(years - 1)), currency: 'NOK' });
  };
  if (event.kind === 'bulk')
    return { ...event, payees: event.payees.map((payee) => ({ ...payee, amount: raised(payee.amount) })) };
  if ((event.kind !== 'transfer' && event.kind !== 'card') || event.foreign !== undefined || 'drawnWith' in event)
    return event;
  const { amount, upTo, roundTo } = event;
  return { ...event, amount: raised(amount, roundTo), ...(upTo !== undefined && { upTo: raised(upTo, roundTo) }) };
}

/**
 * What one krone has become after so many years; below zero, what it was before. Repeated products are the same on all
 * machines.
 */
function growth(percent: string, years: number): number {
  const yearly = 1 + Number(percent) / 100;
  let grown = 1;
  for (let year = 0; year < Math.abs(years); year += 1) grown *= yearly;
  return years < 0 ? 1 / grown : grown;
}

/**
 * An amount times `part` / `whole`, in øre. Half an øre is rounded away from zero. If `whole` is zero, so is the
 * result.
 */
export function inRatio(amount: bigint, part: bigint, whole: bigint): bigint {
  if (whole === 0n) return 0n;
  const [dividend, divisor] = whole < 0n ? [-amount * part, -whole] : [amount * part, whole];
  return (2n * dividend + (dividend < 0n ? -divisor : divisor)) / (2n * divisor);
}

/** An amount of a persona's file in øre. */
export function ore(text: string): bigint {
  return minorInCurrency(text, 'NOK');
}
