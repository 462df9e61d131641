import { type BankingCalendar, isBankingDay, nextOrSame, previousOrSame } from './banking-calendar.ts';
import {
  type DayTimes,
  type Parsed,
  problemOfTimes,
  timesIn,
  hasNoCutOffs,
  type LateOrders,
  type LateTimes,
  lateTimes,
  noCutOffs,
  orderKey,
  type ReceivedOrder,
  type CutOffRules,
  whenReceived,
} from './cut-offs.ts';
import { assert } from '../../values/assert.ts';
import { type CustomerType, customerTypes } from '../../values/customer-type.ts';
import { type Instant, osloDate, osloInstant } from '../../values/instant.ts';
import { addDays, epochDay, fromEpochDay, type LocalDate } from '../../values/local-date.ts';

/** Runs take place at these times of every banking day (rules.md T4). */
export interface RunSchedule {
  /** Those of both types of customers together (T4b). */
  readonly times: DayTimes;
  readonly calendar: BankingCalendar;
  /** Left out: both types have all runs. */
  readonly byType?: SettlementTimes;
  /**
   * Which runs are meant: left out those at `times`, which book and which callers count; the runs that try an order ({@link runsFor}), or all,
   * with those of single products ({@link allRuns}).
   */
  readonly view?: ReceivedOrder | 'all';
  /** An order that is signed late has the day of its run as its date (rules.md S6b). */
  readonly datesByRun?: boolean;
  /** Left out: an order is received when it is authorised, and rates stay. */
  readonly cutOffRules?: CutOffRules;
  /** The runs of single products on a banking day (rules.md T4h); left out: there are none. */
  readonly late?: (date: LocalDate) => LateTimes;
}

/** The runs at these times (rules.md T4b), with cut-offs and fixings (T4d to T4h). */
export function runSchedule(byType: SettlementTimes, calendar: BankingCalendar, cutOffRules = noCutOffs): RunSchedule {
  const { private: ofPrivate, corporate } = byType;
  const lastRuns = { private: ofPrivate.at(-1) ?? '', corporate: corporate.at(-1) ?? '' };
  const late = lateTimes(cutOffRules, lastRuns, calendar);
  return {
    times: [...new Set([...ofPrivate, ...corporate])].sort(),
    calendar,
    ...(isShared(byType) ? {} : { byType }),
    ...(hasNoCutOffs(cutOffRules) ? {} : { cutOffRules }),
    ...(late !== undefined && { late }),
  };
}

/** The runs that try an order, with the numbers that they have among all (rules.md T4b, T4h, S4c). */
export function runsFor(order: ReceivedOrder, schedule: RunSchedule): RunSchedule {
  return schedule.byType === undefined && schedule.cutOffRules === undefined ? schedule : { ...schedule, view: order };
}

/** All runs, with those of single products (rules.md T4h). */
export function allRuns(schedule: RunSchedule): RunSchedule {
  return schedule.late === undefined ? schedule : { ...schedule, view: 'all' };
}

/** The times of day at which a run can be: those of {@link allRuns} on all days. */
export function timesOfAllRuns({ times, cutOffRules, late }: RunSchedule): DayTimes {
  if (late === undefined || cutOffRules === undefined) return times;
  const { cutOffs, earlyClose } = cutOffRules;
  const cutOffTimes = [...Object.values(cutOffs), ...Object.values(earlyClose)].map((time) => time.slice(0, 5));
  return [...new Set([...times, ...cutOffTimes])].sort();
}

/** A scheduled run, identified by bank date and number. */
export interface SettlementRun {
  readonly date: LocalDate;
  /** 1 for the first run of the day. */
  readonly number: number;
  readonly at: Instant;
  /** It tries payments of these customers only (rules.md S4c); left out: of all. It books whatever is to be booked. */
  readonly only?: CustomerType;
  /** It tries these orders because of their cut-off (rules.md T4h). `isAlone`: no others, and it books nothing; else those of `only` too. */
  readonly late?: LateOrders & { readonly isAlone: boolean };
}

/** Whether a run books, and ends what waits for a run (rules.md S6, T4h). */
export function books({ late }: Pick<SettlementRun, 'late'>): boolean {
  return late?.isAlone !== true;
}

/** `2027-03-30/1`. */
export function runId(run: Pick<SettlementRun, 'date' | 'number'>): string {
  return `${run.date}/${run.number}`;
}

/** Runs of a day in order; none on a closed day. */
export function runsOn(date: LocalDate, schedule: RunSchedule): SettlementRun[] {
  if (!isBankingDay(date, schedule.calendar)) return [];
  return timesOn(date, schedule).flatMap((time, index) =>
    isIn(schedule, date, time) ? [runAt(date, time, index, schedule)] : [],
  );
}

/** The times of all runs of a banking day: a run is numbered by its place in this list (rules.md T4b, T4h). */
function timesOn(date: LocalDate, { times, late }: RunSchedule): DayTimes {
  const more = late?.(date);
  return more === undefined || more.size === 0 ? times : [...new Set([...times, ...more.keys()])].sort();
}

function isIn({ times, byType, view, late }: RunSchedule, date: LocalDate, time: string): boolean {
  if (view === 'all') return true;
  if (view === undefined) return times.includes(time);
  return (
    (byType?.[view.customer] ?? times).includes(time) || late?.(date).get(time)?.orders.has(orderKey(view)) === true
  );
}

function runAt(date: LocalDate, time: string, index: number, { times, byType, late }: RunSchedule): SettlementRun {
  const run = { date, number: index + 1, at: osloInstant(date, time) };
  const orders = late?.(date).get(time);
  const isAlone = !times.includes(time);
  const also = orders === undefined ? {} : { late: { ...orders, isAlone } };
  if (byType === undefined || isAlone) return { ...run, ...also };
  const [only, other] = customerTypes.filter((type) => byType[type].includes(time));
  return only === undefined || other !== undefined ? { ...run, ...also } : { ...run, only, ...also };
}

/** The first run strictly after the instant. */
export function firstRunAfter(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  if (isBankingDay(today, schedule.calendar)) {
    for (const [index, time] of timesOn(today, schedule).entries()) {
      if (!isIn(schedule, today, time)) continue;
      const run = runAt(today, time, index, schedule);
      if (run.at > at) return run;
    }
  }
  return firstRunOnOrAfter(addDays(today, 1), schedule);
}

/**
 * The first run that takes an order authorised at this instant, after the runs of that instant (rules.md R6, T4d); `schedule` is that of the
 * order ({@link runsFor}).
 */
export function firstRunIfSigned(at: Instant, schedule: RunSchedule): SettlementRun {
  const { view, cutOffRules, calendar } = schedule;
  const isOrder = view !== undefined && view !== 'all';
  const received = isOrder ? whenReceived(at, view, cutOffRules, calendar) : at;
  return firstRunAfter(received === at ? at : ((received - 1) as Instant), schedule);
}

/** The first run of the date, or on a closed day of the next banking day. */
export function firstRunOnOrAfter(date: LocalDate, schedule: RunSchedule): SettlementRun {
  const day = nextOrSame(date, schedule.calendar);
  const times = timesOn(day, schedule);
  const index = times.findIndex((time) => isIn(schedule, day, time));
  const first = times[index];
  assert(first !== undefined, 'T4: a banking day has at least one settlement time');
  return runAt(day, first, index, schedule);
}

/** The last run at or before the instant. */
export function lastRunAtOrBefore(at: Instant, schedule: RunSchedule): SettlementRun {
  const today = osloDate(at);
  const earlier = runsOn(today, schedule).findLast((run) => run.at <= at);
  if (earlier !== undefined) return earlier;
  const last = runsOn(previousOrSame(addDays(today, -1), schedule.calendar), schedule).at(-1);
  assert(last !== undefined, 'T4: a banking day has at least one settlement time');
  return last;
}

/** Number of runs after the first instant, up to and including the second; 0 when the second is earlier. */
export function countRuns(after: Instant, through: Instant, schedule: RunSchedule): number {
  if (through <= after) return 0;
  const [first, last] = [osloDate(after), osloDate(through)];
  const passed = (date: LocalDate, at: Instant): number => runsOn(date, schedule).filter((run) => run.at <= at).length;
  // All runs of the days before the last one, minus those passed on the first day, plus those passed on the last day.
  const end = epochDay(last);
  let count = 0;
  for (let day = epochDay(first); day < end; day += 1) {
    const date = fromEpochDay(day);
    if (!isBankingDay(date, schedule.calendar)) continue;
    count += timesOn(date, schedule).filter((time) => isIn(schedule, date, time)).length;
  }
  return count - passed(first, after) + passed(last, through);
}

/** The times of a banking day's runs for each type of customers; both lists may be equal (rules.md T4b). */
export type SettlementTimes = Readonly<Record<CustomerType, DayTimes>>;

/** The clearing times of NICS. */
export const nicsTimes: DayTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

export const defaultSettlementTimes: SettlementTimes = { private: nicsTimes, corporate: nicsTimes };

function isShared({ private: one, corporate: other }: SettlementTimes): boolean {
  return one.join() === other.join();
}

/** One list for both types of customers, or a list for each; one that is left out is the default. */
export type ShownTimes = DayTimes | Partial<SettlementTimes>;

/** One list if both types of customers have the same. */
export function shownTimes(times: SettlementTimes): ShownTimes {
  return isShared(times) ? times.private : times;
}

/** The text that {@link parseSettlementTimes} reads: `05:30,15:30`, or `private=05:30,15:30/corporate=...`. */
export function settlementTimesText(times: ShownTimes): string {
  if (!areByType(times)) return times.join(',');
  return customerTypes
    .flatMap((type) => (times[type] === undefined ? [] : `${type}=${times[type].join(',')}`))
    .join('/');
}

/** The settlement times of a schedule as the ledger keeps them, for {@link parseSettlementTimes}. */
export function timesOfSchedule({ times, byType }: RunSchedule): string {
  return settlementTimesText(byType ?? times);
}

function areByType(times: ShownTimes): times is Partial<SettlementTimes> {
  return !Array.isArray(times);
}

/**
 * Parses a comma-separated list of times for both types of customers, or `private=05:30,15:30/corporate=...`; a type that is left out has
 * the default times (rules.md T4b). Blanks around the times are allowed. `problem` is an error text for the user. Times from 02:00 to
 * 02:59 are refused: clock changes repeat or skip them.
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
export function nthRunAfter(after: Instant, n: number, schedule: RunSchedule, latest: Instant): SettlementRun | null {
  const lastDay = osloDate(latest);
  let remaining = n;
  for (let day = osloDate(after); day <= lastDay; day = addDays(day, 1)) {
    const runs = runsOn(day, schedule).filter(({ at }) => at > after);
    const found = runs[remaining - 1];
    if (found !== undefined) return found.at <= latest ? found : null;
    remaining -= runs.length;
  }
  return null;
}

/** What decides which run tries an execution. */
interface Untried {
  readonly executionDate: LocalDate;
  readonly receivedAt: Instant;
  /** The last scheduled run that has passed. */
  readonly lastRunAt: Instant;
}

/** The next run that takes an execution (rules.md T4): of its date or later, after the last one, and not before it was received. */
export function runThatTakes({ executionDate, receivedAt, lastRunAt }: Untried, schedule: RunSchedule): SettlementRun {
  const next = firstRunAfter(Math.max(receivedAt - 1, lastRunAt) as Instant, schedule);
  return next.date >= executionDate ? next : firstRunOnOrAfter(executionDate, schedule);
}

/**
 * The run that carries out what was authorised after the last run of its execution date (rules.md P3b); null when a run of
 * that date does. A run takes what was authorised at its instant too (T4).
 */
export function lateRun(untried: Untried, schedule: RunSchedule): SettlementRun | null {
  const run = runThatTakes(untried, schedule);
  return run.date === untried.executionDate ? null : run;
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

/** What can set off a run (rules.md T5b): an alarm, a call that moves the clock, or the start of a bank, for the runs of its downtime. */
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
