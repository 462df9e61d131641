import { type BankingCalendar, nextBankingDay, isBankingDay, nextOrSame, previousOrSame } from './banking-calendar.ts';
import {
  type CutOff,
  type CutOffRules,
  cutOffsOfDay,
  type DayTimes,
  earlyCloseOn,
  isValuedLater,
  noCutOffs,
  problemOfTimes,
  timesIn,
} from './cut-offs.ts';
import { type Lane, laneKey, lanes } from './lanes.ts';
import { assert } from '../../values/assert.ts';
import { type CustomerType, customerTypes } from '../../values/customer-type.ts';
import { type Instant, osloDate, osloInstant, startOfDay } from '../../values/instant.ts';
import { addDays, epochDay, fromEpochDay, type LocalDate } from '../../values/local-date.ts';
import type { Parsed } from '../../values/text-form.ts';

/** Which runs of a bank: all, those that book, or those that try the payments of a lane. */
type Which = 'all' | 'booking' | 'lane';

/**
 * Runs of banking days. `which` keeps callers from counting all runs where only those that book count, or the other way
 * round.
 */
export interface Runs<Of extends Which = Which> {
  readonly which: Of;
  readonly calendar: BankingCalendar;
  /** Those of a banking day, in order. */
  readonly slotsOn: (date: LocalDate) => readonly Slot[];
}

/** When a bank has runs. */
export interface RunSchedule {
  readonly settlementTimes: SettlementTimes;
  readonly calendar: BankingCalendar;
  readonly cutOffRules: CutOffRules;
  /** The runs at the settlement times of both types of customers together, which users count (rules.md T4, T4b). */
  readonly booking: Runs<'booking'>;
  /** The same runs, and those of single products after the last settlement time (T4h). */
  readonly all: Runs<'all'>;
  readonly of: (lane: Lane) => LaneRuns;
}

/** The runs that try the payments of a lane, with the numbers that they have among all (rules.md T4b, T4h, S4c). */
export interface LaneRuns extends Runs<'lane'> {
  /** The cut-off of a banking day (T4d, T4e). */
  readonly cutOffOn: (date: LocalDate) => string | null;
  /** Whether the value date is a banking day after the execution date (T4d). */
  readonly isValuedLater: boolean;
}

/** What a run of a day does. */
interface RunOfDay {
  /** 1 for the first run of the day. */
  readonly number: number;
  /** The keys of the lanes that it tries, by default all. */
  readonly lanes?: ReadonlySet<string>;
  /** It is at a settlement time of these customers only (rules.md S4c). */
  readonly only?: CustomerType;
  /** The settings of the cut-offs because of which it tries lanes (T4h). */
  readonly cutOffs?: readonly string[];
  /** It only tries lanes after their cut-offs, and books nothing (T4h). */
  readonly isSingleProduct?: true;
}

interface Slot {
  readonly time: string;
  readonly run: RunOfDay;
}

/** A scheduled run, identified by bank date and number. */
export interface SettlementRun extends RunOfDay {
  readonly date: LocalDate;
  readonly at: Instant;
}

/** A banking day as the settings make it: days that close at the same times are alike. */
interface DayPlan {
  readonly all: readonly Slot[];
  readonly booking: readonly Slot[];
  readonly cutOffs: ReadonlyMap<string, CutOff>;
}

/** The runs at these times (rules.md T4b), with cut-offs (T4d to T4h). */
export function runSchedule(
  settlementTimes: SettlementTimes,
  calendar: BankingCalendar,
  cutOffRules = noCutOffs,
): RunSchedule {
  const { cutOffs, earlyClose } = cutOffRules;
  const plans = new Map<string, DayPlan>();
  const days = new Map<LocalDate, DayPlan>();
  const ofLanes = new Map<string, LaneRuns>();
  const planOf = (date: LocalDate): DayPlan => {
    const early = earlyCloseOn(date, earlyClose, calendar);
    return remembered(plans, JSON.stringify(early), () => dayPlan(settlementTimes, cutOffsOfDay(early, cutOffs)));
  };
  const planOn = (date: LocalDate): DayPlan => remembered(days, date, () => planOf(date));
  return {
    settlementTimes,
    calendar,
    cutOffRules,
    booking: { which: 'booking', calendar, slotsOn: (date) => planOn(date).booking },
    all: { which: 'all', calendar, slotsOn: (date) => planOn(date).all },
    of: (lane) => {
      const key = laneKey(lane);
      return remembered(ofLanes, key, () => ({
        which: 'lane',
        calendar,
        slotsOn: (date) => planOn(date).all.filter(({ run }) => tries(run, key)),
        cutOffOn: (date) => planOn(date).cutOffs.get(key)?.time ?? null,
        isValuedLater: isValuedLater(lane, cutOffs),
      }));
    },
  };
}

/** The times of a banking day at which a run of any customers is, in order. */
export function bothTimes({ private: ofPrivate, corporate }: SettlementTimes): DayTimes {
  return [...new Set([...ofPrivate, ...corporate])].sort();
}

function remembered<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = all.get(key) ?? make();
  all.set(key, value);
  return value;
}

/**
 * Runs at all settlement times, and at each cut-off that is later than the last run of its customer (rules.md T4b,
 * T4h).
 */
function dayPlan(times: SettlementTimes, cutOffs: ReadonlyMap<string, CutOff>): DayPlan {
  const late = lanes.flatMap((lane) => {
    const cutOff = cutOffs.get(laneKey(lane));
    const isLate =
      cutOff !== undefined && lane.product !== 'instant' && cutOff.time > (times[lane.customer].at(-1) ?? '');
    return isLate ? [{ lane, ...cutOff }] : [];
  });
  const lateAt = Map.groupBy(late, ({ time }) => time);
  const booking = bothTimes(times);
  const all = [...new Set([...booking, ...lateAt.keys()])].sort().map((time, index): Slot => {
    const types = customerTypes.filter((type) => times[type].includes(time));
    const also = lateAt.get(time) ?? [];
    const tried = [...lanes.filter(({ customer }) => types.includes(customer)), ...also.map(({ lane }) => lane)];
    const [only] = types;
    const run = {
      number: index + 1,
      ...(types.length < customerTypes.length && { lanes: new Set(tried.map(laneKey)) }),
      ...(types.length === 1 && only !== undefined && { only }),
      ...(also.length > 0 && { cutOffs: [...new Set(also.map(({ setting }) => setting))] }),
      ...(types.length === 0 && { isSingleProduct: true as const }),
    };
    return { time, run };
  });
  return { all, booking: all.filter(({ time }) => booking.includes(time)), cutOffs };
}

/** The times of day at which a run can be: those of all runs on all days. */
export function timesOfAllRuns({ settlementTimes, cutOffRules: { cutOffs, earlyClose } }: RunSchedule): DayTimes {
  const lasts = customerTypes.map((type) => settlementTimes[type].at(-1) ?? '');
  const closing = [...Object.values(cutOffs), ...Object.values(earlyClose)].map((time) => time.slice(0, 5));
  return [
    ...new Set([...bothTimes(settlementTimes), ...closing.filter((time) => lasts.some((last) => time > last))]),
  ].sort();
}

/** Whether a run tries the lane with this key. */
function tries({ lanes }: Pick<RunOfDay, 'lanes'>, lane: string): boolean {
  return lanes === undefined || lanes.has(lane);
}

/**
 * When an order of a lane that is authorised at this instant counts as received (rules.md T4d): then, or, after the
 * cut-off of its day and on a closed day, at 00:00 of the next banking day.
 */
export function whenReceived(at: Instant, { calendar, cutOffOn }: LaneRuns): Instant {
  const today = osloDate(at);
  const cutOff = cutOffOn(today);
  const isInTime = cutOff === null || at <= osloInstant(today, cutOff);
  return isInTime && isBankingDay(today, calendar) ? at : startOfDay(nextBankingDay(today, calendar));
}

/** The value date of a payment of a lane that is executed on this date (rules.md T4d). */
export function valueDateOf(date: LocalDate, { calendar, isValuedLater: isLater }: LaneRuns): LocalDate {
  return isLater ? nextBankingDay(date, calendar) : date;
}

/** `2027-03-30/1`. */
export function runId(run: Pick<SettlementRun, 'date' | 'number'>): string {
  return `${run.date}/${run.number}`;
}

/** Runs of a day in order; none on a closed day. */
export function runsOn(date: LocalDate, runs: Runs): readonly SettlementRun[] {
  const last = lastAsked.get(runs);
  if (last?.date === date) return last.found;
  const slots = isBankingDay(date, runs.calendar) ? runs.slotsOn(date) : [];
  const found = slots.map((slot) => runInSlot(date, slot));
  lastAsked.set(runs, { date, found });
  return found;
}

/** What {@link runsOn} found last: most calls are about one day. */
const lastAsked = new WeakMap<Runs, { readonly date: LocalDate; readonly found: readonly SettlementRun[] }>();

function runInSlot(date: LocalDate, { time, run }: Slot): SettlementRun {
  return { ...run, date, at: osloInstant(date, time) };
}

/** The first run strictly after the instant. */
export function firstRunAfter(at: Instant, runs: Runs): SettlementRun {
  const today = osloDate(at);
  return runsOn(today, runs).find((run) => run.at > at) ?? firstRunOnOrAfter(addDays(today, 1), runs);
}

/**
 * The first run that takes an order of a lane authorised at this instant, after the runs of that instant (rules.md R6,
 * T4d).
 */
export function firstRunIfSigned(at: Instant, runs: LaneRuns): SettlementRun {
  const received = whenReceived(at, runs);
  return firstRunAfter(received === at ? at : ((received - 1) as Instant), runs);
}

/** The first run of the date, or on a closed day of the next banking day. */
export function firstRunOnOrAfter(date: LocalDate, { calendar, slotsOn }: Runs): SettlementRun {
  const day = nextOrSame(date, calendar);
  const [first] = slotsOn(day);
  assert(first !== undefined, 'T4: a banking day has at least one settlement time');
  return runInSlot(day, first);
}

/** The last run at or before the instant. */
export function lastRunAtOrBefore(at: Instant, runs: Runs): SettlementRun {
  const today = osloDate(at);
  const earlier = runsOn(today, runs).findLast((run) => run.at <= at);
  if (earlier !== undefined) return earlier;
  const last = runsOn(previousOrSame(addDays(today, -1), runs.calendar), runs).at(-1);
  assert(last !== undefined, 'T4: a banking day has at least one settlement time');
  return last;
}

/** Number of runs after the first instant, up to and including the second; 0 when the second is earlier. */
export function countRuns(after: Instant, through: Instant, runs: Runs<'all'>): number {
  if (through <= after) return 0;
  const [first, last] = [osloDate(after), osloDate(through)];
  const countUntil = (date: LocalDate, at: Instant): number => runsOn(date, runs).filter((run) => run.at <= at).length;
  // All runs of the days before the last one, minus those passed on the first day, plus those passed on the last day.
  const end = epochDay(last);
  let count = 0;
  for (let day = epochDay(first); day < end; day += 1) {
    const date = fromEpochDay(day);
    if (!isBankingDay(date, runs.calendar)) continue;
    count += runs.slotsOn(date).length;
  }
  return count - countUntil(first, after) + countUntil(last, through);
}

/** The times of a banking day's runs for each type of customers; both lists may be equal (rules.md T4b). */
export type SettlementTimes = Readonly<Record<CustomerType, DayTimes>>;

/** The clearing times of NICS. */
export const nicsTimes: DayTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

export const defaultSettlementTimes: SettlementTimes = { private: nicsTimes, corporate: nicsTimes };

/** One list for both types of customers, or a list for each; one that is left out is the default. */
export type ShownTimes = DayTimes | Partial<SettlementTimes>;

/** One list if both types of customers have the same. */
export function shownTimes(times: SettlementTimes): ShownTimes {
  return times.private.join() === times.corporate.join() ? times.private : times;
}

/** The text that {@link parseSettlementTimes} reads: `05:30,15:30`, or `private=05:30,15:30/corporate=...`. */
export function settlementTimesText(times: ShownTimes): string {
  if (!areByType(times)) return times.join(',');
  return customerTypes
    .flatMap((type) => (times[type] === undefined ? [] : `${type}=${times[type].join(',')}`))
    .join('/');
}

/** The settlement times of a schedule as the ledger keeps them, for {@link parseSettlementTimes}. */
export function timesOfSchedule({ settlementTimes }: RunSchedule): string {
  return settlementTimesText(shownTimes(settlementTimes));
}

function areByType(times: ShownTimes): times is Partial<SettlementTimes> {
  return !Array.isArray(times);
}

/**
 * Parses a comma-separated list of times for both types of customers, or `private=05:30,15:30/corporate=...`; a type
 * that is left out has the default times (rules.md T4b). Blanks around the times are allowed. `problem` is an error
 * text for the user. Times from 02:00 to 02:59 are refused: clock changes repeat or skip them.
 */
export function parseSettlementTimes(text: string): Parsed<SettlementTimes> {
  if (!text.includes('=')) {
    const times = timesIn(text);
    const problem = problemOfTimes(times, 'settlement time');
    return problem === null ? { ok: true, value: { private: times, corporate: times } } : { ok: false, problem };
  }
  const lists = new Map<CustomerType, DayTimes>();
  for (const part of text.split('/')) {
    const [name = '', list = ''] = part.split('=', 2).map((piece) => piece.trim());
    const type = customerTypes.find((one) => one === name);
    const problem =
      part.split('=').length !== 2
        ? `"${part}" is not private=HH:MM,... or corporate=HH:MM,...`
        : type === undefined
          ? `"${name}" is no type of customer: there are ${customerTypes.join(' and ')}`
          : lists.has(type)
            ? `the settlement times of ${type} customers are given twice`
            : problemOfTimes(timesIn(list), `settlement time of ${type} customers`);
    if (type === undefined || problem !== null) return { ok: false, problem: problem ?? '' };
    lists.set(type, timesIn(list));
  }
  return { ok: true, value: { ...defaultSettlementTimes, ...Object.fromEntries(lists) } };
}

/** The n-th scheduled run after an instant, empty runs included (rules.md T6); null when it is later than `latest`. */
export function nthRunAfter(after: Instant, n: number, runs: Runs, latest: Instant): SettlementRun | null {
  const lastDay = osloDate(latest);
  let remaining = n;
  for (let day = osloDate(after); day <= lastDay; day = addDays(day, 1)) {
    const ofDay = runsOn(day, runs).filter(({ at }) => at > after);
    const found = ofDay[remaining - 1];
    if (found !== undefined) return found.at <= latest ? found : null;
    remaining -= ofDay.length;
  }
  return null;
}

/** The work that waits for a run (rules.md T6). */
interface WaitingWork {
  /** Instant of the last scheduled run that has passed, empty ones included. */
  readonly lastRunAt: Instant;
  /** The first day with an execution to try or a return to book, or null. */
  readonly firstWork: LocalDate | null;
  /** Entries to book or ended standing orders to close: the next run that books does it. */
  readonly hasFollowUp: boolean;
}

/** The next run with something to do, or null if nothing waits. It skips empty runs (rules.md T6). */
export function nextBusyRun(waiting: WaitingWork, schedule: RunSchedule): SettlementRun | null {
  const { lastRunAt, firstWork, hasFollowUp } = waiting;
  const booking = hasFollowUp ? firstRunAfter(lastRunAt, schedule.booking) : null;
  if (firstWork === null) return booking;
  const next = firstRunAfter(lastRunAt, schedule.all);
  const trying = firstWork <= next.date ? next : firstRunOnOrAfter(firstWork, schedule.all);
  return booking !== null && booking.at < trying.at ? booking : trying;
}

/** What decides which run tries an execution. */
interface Untried {
  readonly executionDate: LocalDate;
  readonly receivedAt: Instant;
  /** The last scheduled run that has passed. */
  readonly lastRunAt: Instant;
}

/**
 * The next run that takes an execution (rules.md T4): of its date or later, after the last one, and not before it was
 * received.
 */
export function runThatTakes({ executionDate, receivedAt, lastRunAt }: Untried, runs: Runs): SettlementRun {
  const next = firstRunAfter(Math.max(receivedAt - 1, lastRunAt) as Instant, runs);
  return next.date >= executionDate ? next : firstRunOnOrAfter(executionDate, runs);
}

/** What one run did, as counts. */
export interface RunCounts {
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  /** Occurrences of standing orders scheduled for a later day. */
  readonly registered: number;
}

/**
 * What can set off a run (rules.md T5b): an alarm, a call that moves the clock, or the start of a bank, for the runs of
 * its downtime.
 */
export const runTriggers = ['cron', 'heartbeat', 'advance', 'start'] as const;
export type RunTrigger = (typeof runTriggers)[number];

/** How a run began. */
interface RunStart {
  readonly trigger: RunTrigger;
  /** Milliseconds of the machine's clock from its instant to its start; null if an advance moved the clock to it. */
  readonly lateMs: number | null;
}

/** A run that is carried out. */
export type StartedRun = SettlementRun & RunStart;

/** One run as the control plane reports it. */
export interface RunReport extends RunCounts, RunStart {
  readonly id: string;
  readonly at: Instant;
}
