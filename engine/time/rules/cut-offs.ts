import { type CustomerType, customerTypes } from '../../values/customer-type.ts';
import { isCurrency } from '../../values/money.ts';
import { type Instant, osloDate, osloInstant } from '../../values/instant.ts';
import { addDays, yearOf, type LocalDate, parseLocalDate } from '../../values/local-date.ts';
import { type Lane, laneKey, type LaneProduct, lanes } from './lanes.ts';
import { type BankingCalendar, nextBankingDay, isBankingDay, nextOrSame } from './banking-calendar.ts';
import type { Parsed } from '../../values/text-form.ts';

/** Times by what they are for, as the settings have them: `{ 'sepa:EUR': '14:30' }`, in a text `sepa:EUR=14:30/...`. */
export type TimeTable = Readonly<Record<string, string>>;

/** Until when the bank receives an order for its day, and when it fixes exchange rates (rules.md T4d to T4g). */
export interface CutOffRules {
  /**
   * By `PRODUCT` or `PRODUCT:CURRENCY`, or `CUSTOMER:` and one of these; `14:00+1`: the value date is a banking day
   * later.
   */
  readonly cutOffs: TimeTable;
  /** By `DAY`, `DAY:CUSTOMER`, `DAY:PRODUCT` or `DAY:CUSTOMER:PRODUCT`. */
  readonly earlyClose: TimeTable;
  /** When rates are fixed on a banking day, or empty if the rates stay. */
  readonly fxFixings: DayTimes;
}

/** The products by their names in the settings, `foreign` for both foreign ones. An instant payment has no cut-off. */
const productsByName = {
  domestic: ['domestic', 'inside', 'inside-kid'],
  inside: ['inside', 'inside-kid'],
  'inside-kid': ['inside-kid'],
  sepa: ['sepa'],
  'cross-border': ['cross-border'],
  foreign: ['sepa', 'cross-border'],
} as const satisfies Record<Exclude<LaneProduct, 'instant'> | 'foreign', readonly LaneProduct[]>;

const productNames = Object.keys(productsByName);

function isProductName(name: string): name is keyof typeof productsByName {
  return Object.hasOwn(productsByName, name);
}

/** The names that a product has, the narrower first. */
function namesOf(product: LaneProduct): string[] {
  const having = Object.entries(productsByName).filter(([, all]) => all.some((one) => one === product));
  return having.toSorted(([, one], [, other]) => one.length - other.length).map(([name]) => name);
}

/** The time of a cut-off, and the name of the setting that has it. */
export interface CutOff {
  readonly time: string;
  readonly setting: string;
}

/**
 * The cut-offs of a banking day by the keys of the lanes that have one: the lane's own, and on a day that closes early
 * the earliest of all (rules.md T4d, T4e). `early` is that of {@link earlyCloseOn}.
 */
export function cutOffsOfDay(early: TimeTable, cutOffs: TimeTable): ReadonlyMap<string, CutOff> {
  // Most banks have none, and each bank asks.
  const named = Object.keys({ ...early, ...cutOffs }).length === 0 ? [] : lanes;
  const all = named.map((lane) => [laneKey(lane), cutOffOfLane(lane, early, cutOffs)] as const);
  return new Map(all.flatMap(([key, cutOff]) => (cutOff === undefined ? [] : [[key, cutOff]])));
}

function cutOffOfLane(lane: Lane, early: TimeTable, cutOffs: TimeTable): CutOff | undefined {
  const names: readonly string[] = namesOf(lane.product);
  const closing = Object.entries(early).filter(([key]) => {
    const { customer = lane.customer, rest } = withCustomer(key === 'all' ? [] : key.split(':'));
    return customer === lane.customer && rest.every((name) => names.includes(name));
  });
  const usual = Object.entries(cutOffs).filter(([key]) => key === narrowestKey(lane, cutOffs));
  const all = [...closing, ...usual].map(([setting, time]) => ({ setting, time: time.slice(0, 5) }));
  return all.toSorted((one, other) => (one.time < other.time ? -1 : 1))[0];
}

/** The cut-offs of a day that closes early, by {@link closingNames} (rules.md T4e). */
export function earlyCloseOn(date: LocalDate, earlyClose: TimeTable, calendar: BankingCalendar): TimeTable {
  const found = new Map<string, string>();
  for (const [key, time] of Object.entries(earlyClose)) {
    const [day = '', ...names] = key.split(':');
    const name = names.join(':') || 'all';
    if (isDay(day, date, calendar) && time < (found.get(name) ?? '24:00')) found.set(name, time);
  }
  return Object.fromEntries(found);
}

/** Whether the value date of a lane's payments is a banking day after their execution date (rules.md T4d). */
export function isValuedLater(lane: Lane, cutOffs: TimeTable): boolean {
  return cutOffs[narrowestKey(lane, cutOffs) ?? '']?.endsWith('+1') === true;
}

/**
 * The key of the narrowest entry: one for the customer before one for all, then one for the currency, then the narrower
 * product (rules.md T4g).
 */
function narrowestKey({ customer, product, currency }: Lane, cutOffs: TimeTable): string | undefined {
  const names = namesOf(product);
  const ofProduct = [...names.map((name) => `${name}:${currency}`), ...names];
  return [...ofProduct.map((key) => `${customer}:${key}`), ...ofProduct].find((key) => cutOffs[key] !== undefined);
}

/** The parts of a key after the customer, which may be left out. */
function withCustomer([first, ...others]: readonly string[]): {
  readonly customer?: CustomerType;
  readonly rest: readonly string[];
} {
  const customer = customerTypes.find((type) => type === first);
  if (customer !== undefined) return { customer, rest: others };
  return { rest: first === undefined ? [] : [first, ...others] };
}

/** Whether a banking day is the one that an early close names. */
function isDay(name: string, date: LocalDate, calendar: BankingCalendar): boolean {
  if (name === 'before-holiday') {
    const closure = calendar.closure(addDays(date, 1));
    return closure !== null && closure !== 'Saturday' && closure !== 'Sunday';
  }
  if (name === 'year-end') return yearOf(nextBankingDay(date, calendar)) > yearOf(date);
  return name === date || name === date.slice(5);
}

/** The first fixing of a banking day at or after an instant (rules.md T4f). `fixings` has one time or more. */
export function fixingFrom(at: Instant, fixings: DayTimes, calendar: BankingCalendar): Instant {
  for (let date = nextOrSame(osloDate(at), calendar); ; date = nextBankingDay(date, calendar)) {
    const fixing = fixings.map((time) => osloInstant(date, time)).find((one) => one >= at);
    if (fixing !== undefined) return fixing;
  }
}

/** The last fixing of a banking day at or before an instant (rules.md T4f). `fixings` has one time or more. */
export function fixingUntil(at: Instant, fixings: DayTimes, calendar: BankingCalendar): Instant {
  for (let date = osloDate(at); ; date = addDays(date, -1)) {
    if (!isBankingDay(date, calendar)) continue;
    const fixing = fixings.map((time) => osloInstant(date, time)).findLast((one) => one <= at);
    if (fixing !== undefined) return fixing;
  }
}

/** Parses cut-offs (rules.md T4d, T4g); an empty text has none. `problem` is an error text for the user. */
export function parseCutOffs(text: string): Parsed<TimeTable> {
  return parseTable(text, 'cut-off', (key, time) => {
    const [product = '', currency, more] = withCustomer(key.split(':')).rest;
    if (!isProductName(product) || more !== undefined)
      return `"${key}" is not ${productList}, PRODUCT:CURRENCY or CUSTOMER:PRODUCT:CURRENCY`;
    if (currency !== undefined && !isCurrency(currency)) return `cut-off ${key}: ${currency} is no currency`;
    const isHere = namesOf('inside-kid').includes(product);
    if (isHere && (currency !== undefined || time.length > 5))
      return `cut-off ${key}: a domestic payment is in NOK, and its value date is its execution date`;
    if (product === 'sepa' && currency !== undefined && currency !== 'EUR')
      return `cut-off ${key}: a SEPA payment is in EUR`;
    return problemOfTime(time.replace(/\+1$/, ''), `cut-off ${key}`);
  });
}

/** Parses early closes (rules.md T4e, T4g); an empty text has none. `problem` is an error text for the user. */
export function parseEarlyClose(text: string): Parsed<TimeTable> {
  return parseTable(text, 'early close', (key, time) => {
    const [day = '', ...names] = key.split(':');
    const isKnown =
      ['before-holiday', 'year-end'].includes(day) || parseLocalDate(day.length === 5 ? `2024-${day}` : day);
    if (!isKnown) return `early close "${key}" names no day: expected before-holiday, year-end, MM-DD or YYYY-MM-DD`;
    if (names.length > 0 && !closingNames.slice(1).includes(names.join(':')))
      return `early close "${key}": expected DAY, DAY:PRODUCT or DAY:CUSTOMER:PRODUCT, ${productList}`;
    return problemOfTime(time, `early close ${key}`);
  });
}

/**
 * Parses the times of fixings, comma-separated (rules.md T4f); an empty text has none. `problem` is an error text for
 * the user.
 */
export function parseFixings(text: string): Parsed<DayTimes> {
  if (text.trim() === '') return { ok: true, value: [] };
  const value = timesIn(text);
  const problem = problemOfTimes(value, 'fixing time');
  return problem === null ? { ok: true, value } : { ok: false, problem };
}

/** No cut-offs, no early close and no fixings: an order is received when it is authorised. */
export const noCutOffs: CutOffRules = { cutOffs: {}, earlyClose: {}, fxFixings: [] };

const productList = `one of ${productNames.join(', ')}`;

/** For whom a day closes early: `all`, a customer, a product, or both with a colon between them. */
export const closingNames: readonly string[] = [
  'all',
  ...customerTypes,
  ...['', ...customerTypes.map((type) => `${type}:`)].flatMap((type) => productNames.map((name) => type + name)),
];

function parseTable(
  text: string,
  what: string,
  problemOf: (key: string, time: string) => string | null,
): Parsed<TimeTable> {
  const table = new Map<string, string>();
  for (const part of text.trim() === '' ? [] : text.split('/')) {
    const [key = '', time, more] = part.split('=').map((piece) => piece.trim());
    if (time === undefined || more !== undefined) return { ok: false, problem: `${what} "${part}" is not NAME=HH:MM` };
    const problem = table.has(key) ? `${what} ${key} is given twice` : problemOf(key, time);
    if (problem !== null) return { ok: false, problem };
    table.set(key, time);
  }
  return { ok: true, value: Object.fromEntries(table) };
}

/** Times of a day in Oslo, `HH:MM`, ascending. */
export type DayTimes = readonly string[];

const cutOffTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Splits a comma-separated list; blanks around the times are left out. */
export function timesIn(text: string): DayTimes {
  return text.split(',').map((time) => time.trim());
}

/**
 * Says what is wrong with a list of times; `what` names one of them. Returns null if nothing is. Clocks change between
 * 02:00 and 03:00 (rules.md T4).
 */
export function problemOfTimes(times: DayTimes, what: string): string | null {
  if (times.length === 1 && times[0] === '') return `${what}: the list is empty; expected HH:MM,HH:MM,...`;
  for (const [index, time] of times.entries()) {
    const previous = times[index - 1];
    const problem = problemOfTime(time, what);
    if (problem !== null) return problem;
    if (time === previous) return `${what} ${time} is given twice`;
    if (previous !== undefined && time < previous) return `${what} ${time} follows ${previous}; sort them`;
  }
  return null;
}

/** Says what is wrong with a time, see {@link problemOfTimes}. */
export function problemOfTime(time: string, what: string): string | null {
  if (!cutOffTime.test(time)) return `${what} "${time}" is not HH:MM from 00:00 to 23:59`;
  return time >= '02:00' && time < '03:00' ? `${what} ${time} is inside 02:00-03:00, when clocks change` : null;
}
