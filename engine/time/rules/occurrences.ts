import { assert } from '../../values/assert.ts';
import { previousOrSame, type BankingCalendar, adjust, type ExecutionRule } from './banking-calendar.ts';
import {
  addDays,
  dayOf,
  type LocalDate,
  dateInMonth,
  daysBetween,
  daysInMonth,
  epochDay,
  fromEpochDay,
  localDate,
  monthNumber,
  monthOf,
  yearOf,
} from '../../values/local-date.ts';

/**
 * All that determines a periodic payment's dates. Today is not part of it: initiation and signing apply it (rules.md
 * R6).
 */
export interface Schedule {
  readonly startDate: LocalDate;
  /** Inclusive. Nominal dates are compared with it, so a moved date may lie after it (rules.md R7, R6). */
  readonly endDate: LocalDate | null;
  readonly frequency: Frequency;
  readonly executionRule: ExecutionRule;
  /** 1..31, by default the day of startDate. Ignored for Daily, Weekly and EveryTwoWeeks (rules.md R3). */
  readonly dayOfExecution: number | null;
  /** 1..12, all different; required for MonthlyVariable, else ignored (rules.md R5). */
  readonly monthsOfExecution: readonly number[] | null;
}

/** One payment of a periodic payment. */
export interface Occurrence {
  /** From 0. */
  readonly index: number;
  readonly nominalDate: LocalDate;
  /** The nominal date moved by the execution rule; may lie before startDate or after endDate (rules.md R6). */
  readonly executionDate: LocalDate;
}

/**
 * The occurrence with this index, or null past endDate or 2099 (rules.md R2-R7, T7). Throws when the schedule breaks R3
 * or R5, or when the calendar does not cover the date.
 */
export function occurrence(schedule: Schedule, index: number, calendar: BankingCalendar): Occurrence | null {
  assert(Number.isInteger(index) && index >= 0, `an index from 0: ${index}`);
  return occurrenceOf(schedule, nominalsOf(schedule), index, calendar);
}

/** First index whose nominal date is on or after the date; {@link occurrence} may return null for it. */
export function firstIndexFrom(schedule: Schedule, date: LocalDate): number {
  return nominalsOf(schedule).firstFrom(date);
}

/**
 * First index to pay when an order is signed today (rules.md P13). An occurrence has passed when its nominal date and
 * its execution date are both before today, so one that moves from closed days just before today is still paid. {@link
 * occurrence} may return null for the index.
 */
export function firstIndexToPay(schedule: Schedule, today: LocalDate, calendar: BankingCalendar): number {
  if (schedule.executionRule === 'preceding') return firstIndexFrom(schedule, today);
  return firstIndexFrom(schedule, addDays(previousOrSame(addDays(today, -1), calendar), 1));
}

/** All occurrences from this index on in order, to endDate or to the end of 2099. */
export function* occurrences(schedule: Schedule, calendar: BankingCalendar, from = 0): Generator<Occurrence, void> {
  const nominals = nominalsOf(schedule);
  for (let index = from; ; index += 1) {
    const next = occurrenceOf(schedule, nominals, index, calendar);
    if (next === null) return;
    yield next;
  }
}

function nominalsOf(schedule: Schedule): NominalDates {
  return nominalDates(schedule, intervalOf(schedule.frequency));
}

function occurrenceOf(
  { endDate, executionRule }: Schedule,
  nominals: NominalDates,
  index: number,
  calendar: BankingCalendar,
): Occurrence | null {
  const nominalDate = nominals.at(index);
  if (nominalDate === null || (endDate !== null && nominalDate > endDate)) return null;
  return { index, nominalDate, executionDate: adjust(nominalDate, executionRule, calendar) };
}

/** Occurrences to schedule together. `nextIndex` is the index after them, or null if the order has no more. */
interface OccurrenceBatch {
  readonly occurrences: readonly Occurrence[];
  readonly nextIndex: number | null;
}

/** How far a standing order has been scheduled. `nextIndex` is null if that is to its end. */
export interface OrderPosition {
  readonly paymentId: number;
  readonly schedule: Schedule;
  readonly nextIndex: number | null;
}

/** The next occurrences of a standing order to schedule. */
export interface FollowingOccurrences extends OccurrenceBatch {
  readonly paymentId: number;
}

/**
 * The occurrences to schedule once all scheduled ones have been attempted (rules.md R8, R9); null at the order's end.
 */
export function followingOccurrences(order: OrderPosition, calendar: BankingCalendar): FollowingOccurrences | null {
  const { paymentId, schedule, nextIndex } = order;
  return nextIndex === null ? null : { paymentId, ...occurrencesFrom(schedule, nextIndex, calendar) };
}

/**
 * The occurrence at `index` and those after it with the same execution date, each of which is paid (rules.md R8).
 * `notBefore` is the date of the next run, when the order is signed, and else left out. With it, a `preceding`
 * occurrence is not executed earlier (R6), nor any other with `isOfAll` (S6b), and all occurrences due at that run are
 * included, so that it takes them together (S3): signed after the last run of a day, today's occurrence waits for the
 * same run as tomorrow's.
 */
export function occurrencesFrom(
  schedule: Schedule,
  index: number,
  calendar: BankingCalendar,
  { notBefore = null, isOfAll }: { readonly notBefore?: LocalDate | null; readonly isOfAll?: boolean | undefined } = {},
): OccurrenceBatch {
  const scheduled: Occurrence[] = [];
  for (const candidate of occurrences(schedule, calendar, index)) {
    const clamped = notBeforeRun(notBefore, candidate, isOfAll);
    const first = scheduled[0]?.executionDate ?? clamped.executionDate;
    const through = notBefore !== null && notBefore > first ? notBefore : first;
    if (clamped.executionDate > through) return { occurrences: scheduled, nextIndex: candidate.index };
    scheduled.push(clamped);
  }
  return { occurrences: scheduled, nextIndex: null };
}

/**
 * Moves an occurrence that went to an earlier day, or any with `isOfAll`, up to `notBefore`, the date of the next run
 * (rules.md R6, S6b); null leaves it.
 */
export function notBeforeRun(notBefore: LocalDate | null, candidate: Occurrence, isOfAll = false): Occurrence {
  const { nominalDate, executionDate } = candidate;
  const isMoved = isOfAll || executionDate < nominalDate;
  if (notBefore === null || !isMoved || executionDate >= notBefore) return candidate;
  return { ...candidate, executionDate: notBefore };
}

/** The last possible execution date: the bank clock and the calendar end there (rules.md T7). */
export const lastExecutionDate = localDate('2099-12-31');

/** The dates of a standing order before closed days move them, numbered from 0, strictly ascending (rules.md R2). */
interface NominalDates {
  /** Null past 2099. */
  at(index: number): LocalDate | null;
  /** First index on or after the date; `at` may return null for it. */
  firstFrom(date: LocalDate): number;
}

interface NominalRule {
  readonly startDate: LocalDate;
  /** 1..31, by default the day of startDate. A month without the day pays on its last day (rules.md R3). */
  readonly dayOfExecution: number | null;
  /** 1..12, all different; required for listed months, else ignored (rules.md R5). */
  readonly monthsOfExecution: readonly number[] | null;
}

/**
 * Computes every date from the start and the rule, at the same cost for any index. Throws when the rule breaks R3 or
 * R5.
 */
export function nominalDates(rule: NominalRule, interval: Interval): NominalDates {
  const { startDate } = rule;
  if (interval.unit === 'day') return everyDays(startDate, interval.every);
  const day = rule.dayOfExecution ?? dayOf(startDate);
  assert(Number.isInteger(day) && day >= 1 && day <= 31, `a day of execution from 1 to 31: ${day}`);
  if (interval.unit === 'listed-month') return inListedMonths(startDate, day, rule.monthsOfExecution ?? []);
  return everyMonths(startDate, day, interval.every);
}

function everyDays(start: LocalDate, step: number): NominalDates {
  const first = epochDay(start);
  const last = epochDay(lastExecutionDate);
  return {
    at: (index) => (first + index * step > last ? null : fromEpochDay(first + index * step)),
    firstFrom: (date) => Math.max(0, Math.ceil(daysBetween(start, date) / step)),
  };
}

function everyMonths(start: LocalDate, day: number, step: number): NominalDates {
  const startMonth = monthNumber(start);
  // R4: the interval counts from the first day of execution on or after startDate.
  const isPast = Math.min(day, daysInMonth(yearOf(start), monthOf(start))) < dayOf(start);
  const anchor = isPast ? startMonth + 1 : startMonth;
  const at = (index: number): LocalDate | null => inMonth(anchor + index * step, day);
  return {
    at,
    firstFrom: (date) => notBefore(at, date, Math.max(0, Math.floor((monthNumber(date) - anchor) / step))),
  };
}

function inListedMonths(start: LocalDate, day: number, months: readonly number[]): NominalDates {
  const listed = months.toSorted((a, b) => a - b);
  const count = listed.length;
  assert(count > 0 && new Set(listed).size === count, 'R5: at least one month of execution, all different');
  assert(
    listed.every((month) => Number.isInteger(month) && month >= 1 && month <= 12),
    'R5: months of execution from 1 to 12',
  );
  // A position counts listed months since year 0, so that no loop over years is needed.
  const dateAt = (position: number): LocalDate | null => {
    const year = Math.floor(position / count);
    return inMonth(year * 12 + (listed[position - year * count] ?? 1) - 1, day);
  };
  const positionFrom = (date: LocalDate): number => {
    const month = monthNumber(date);
    const earlier = listed.filter((one) => one <= month % 12).length;
    return notBefore(dateAt, date, Math.floor(month / 12) * count + earlier);
  };
  const anchor = positionFrom(start);
  return { at: (index) => dateAt(anchor + index), firstFrom: (date) => Math.max(0, positionFrom(date) - anchor) };
}

/** The index, or the one after it when its date is in the right month but before `date`. */
function notBefore(at: (index: number) => LocalDate | null, date: LocalDate, index: number): number {
  const found = at(index);
  return found !== null && found < date ? index + 1 : index;
}

function inMonth(month: number, day: number): LocalDate | null {
  return month > monthNumber(lastExecutionDate) ? null : dateInMonth(month, day);
}

/** Every n days, every n months, or in the listed months of execution (rules.md R5). */
type Interval =
  | { readonly unit: 'day'; readonly every: number }
  | { readonly unit: 'month'; readonly every: number }
  | { readonly unit: 'listed-month' };

const intervals = {
  Daily: { unit: 'day', every: 1 },
  Weekly: { unit: 'day', every: 7 },
  EveryTwoWeeks: { unit: 'day', every: 14 },
  Monthly: { unit: 'month', every: 1 },
  EveryTwoMonths: { unit: 'month', every: 2 },
  Quarterly: { unit: 'month', every: 3 },
  SemiAnnual: { unit: 'month', every: 6 },
  Annual: { unit: 'month', every: 12 },
  MonthlyVariable: { unit: 'listed-month' },
} as const satisfies Readonly<Record<string, Interval>>;

export type Frequency = keyof typeof intervals;

/** Allowed values of `frequency` (interface: periodic payment). */
export const frequencies = Object.keys(intervals) as readonly Frequency[];

/** Interval between two nominal dates. Only month-based frequencies use dayOfExecution (rules.md R3). */
export function intervalOf(frequency: Frequency): Interval {
  return intervals[frequency];
}
