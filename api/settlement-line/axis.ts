import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { addDays, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { englishHoliday } from '../pages/holidays.ts';
import { timeText } from '../pages/format.ts';

/** A day of `GET /sandbox/calendar`. */
export interface AxisDay {
  readonly date: string;
  readonly type: 'banking' | 'closed';
  /** Why it is closed. */
  readonly reason?: string | undefined;
  readonly runs: readonly { readonly at: string }[];
}

/** A day on the axis, from `start` to `end`, 0 to 1. */
export interface Column {
  readonly date: string;
  readonly isClosed: boolean;
  readonly start: number;
  readonly end: number;
}

/** Closed days in a row, and why. */
export interface Closure {
  readonly from: string;
  readonly to: string;
  /** The English names of the holidays, or nothing for a weekend. */
  readonly names: readonly string[];
}

/** The time axis of the settlement line: banking days are wide, closed days narrow, as nothing happens on them. */
export interface Axis {
  readonly columns: readonly Column[];
  readonly closures: readonly Closure[];
  /** Instants of all runs. */
  readonly runs: readonly string[];
  /** Where an instant of an answer is, or the middle of a date, 0 to 1; one outside the axis is at its end. */
  readonly at: (text: string) => number;
}

/** Width of a closed day, where a banking day has 1. */
const closedWidth = 0.4;

/** Shares of a day's width until an hour. */
type Shares = readonly (readonly [hour: number, share: number])[];

/**
 * Most of a day's width is for the hours of runs: from the hour in which the first begins to that in which the last one
 * is over.
 */
function sharesOf(runs: readonly string[]): Shares {
  const hours = runs.map(hourOf);
  const [first, last] = hours.length === 0 ? [5, 15] : [Math.min(...hours), Math.max(...hours)];
  const [begin, end] = [Math.floor(first), Math.floor(last) + 1];
  return [[0, 0], ...(begin > 0 ? [[begin, 0.06] as const] : []), ...(end < 24 ? [[end, 0.92] as const] : []), [24, 1]];
}

/** The axis over days in a row. */
export function axisOf(days: readonly AxisDay[]): Axis {
  const widths = days.map(({ type }) => (type === 'closed' ? closedWidth : 1));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  let start = 0;
  const columns = days.map(({ date, type }, index): Column => {
    const column = { date, isClosed: type === 'closed', start, end: start + (widths[index] ?? 0) / whole };
    start = column.end;
    return column;
  });
  const runs = days.flatMap((each) => each.runs.map((run) => run.at));
  const shares = sharesOf(runs);
  const byDate = new Map(columns.map((column) => [column.date, column]));
  const at = (text: string): number => {
    const column = byDate.get(text.slice(0, 10));
    if (column === undefined) return text < (columns[0]?.date ?? '') ? 0 : 1;
    const share = text.length > 10 ? shareOfDay(hourOf(text), shares) : 0.5;
    return column.start + (column.end - column.start) * share;
  };
  return { columns, closures: closuresIn([...around(days, -1), ...days, ...around(days, 1)]), runs, at };
}

/** Maximum number of banking days that each have their number on an axis. Of more, each Monday has. */
const maxNamed = 20;

/** Whether each banking day of an axis has its number. */
export function namesEachDay({ columns }: Axis): boolean {
  return columns.filter(({ isClosed }) => !isClosed).length <= maxNamed;
}

/** Whether an instant or a date of an answer is on one of the days of an axis. */
export function isOnAxis({ columns }: Axis, at: string): boolean {
  const date = at.slice(0, 10);
  return date >= (columns[0]?.date ?? '') && date <= (columns.at(-1)?.date ?? '');
}

/** The hour of an instant of an answer, with its part: 5.5 for half past five. */
function hourOf(at: string): number {
  const [hour = '0', minute = '0'] = timeText(at).split(':');
  return Number(hour) + Number(minute) / 60;
}

function shareOfDay(hour: number, shares: Shares): number {
  for (const [index, [until, share]] of shares.entries()) {
    const [before = 0, least = 0] = shares[index - 1] ?? [];
    if (hour <= until) return until === before ? share : least + ((share - least) * (hour - before)) / (until - before);
  }
  return 1;
}

/**
 * The closed days right before the first of some days (-1) or right after the last (1): a closure may begin or end
 * outside a window.
 */
function around(days: readonly AxisDay[], step: 1 | -1): Omit<AxisDay, 'runs'>[] {
  const edge = days.at(step === 1 ? -1 : 0);
  const found: Omit<AxisDay, 'runs'>[] = [];
  if (edge?.type !== 'closed') return found;
  const calendar = norwegianCalendar();
  const closed = (date: LocalDate): string | null => calendar.closure(date);
  for (let date = addDays(localDate(edge.date), step); closed(date) !== null; date = addDays(date, step))
    found.push({ date, type: 'closed', reason: closed(date) ?? undefined });
  return step === 1 ? found : found.toReversed();
}

/** The closed days of some days, those in a row together. */
export function closuresIn(days: readonly Omit<AxisDay, 'runs'>[]): readonly Closure[] {
  const closures: { from: string; to: string; names: string[] }[] = [];
  let isOpen = true;
  for (const { date, type, reason } of days) {
    if (type === 'closed') {
      if (isOpen) closures.push({ from: date, to: date, names: [] });
      const last = closures.at(-1);
      if (last !== undefined) {
        last.to = date;
        if (reason !== undefined && !/^(Satur|Sun)day$/.test(reason)) last.names.push(englishHoliday(reason));
      }
    }
    isOpen = type !== 'closed';
  }
  return closures;
}

const seasons = [
  [/Easter|Maundy|Good Friday/, 'Easter'],
  [/Christmas|Boxing/, 'Christmas'],
] as const;

/** The same in a word or two, for a narrow place: `closed: Easter`. */
export function shortClosureText({ names: [first] }: Closure): string {
  if (first === undefined) return 'closed';
  return `closed: ${seasons.find(([name]) => name.test(first))?.[1] ?? first}`;
}

/** Why a bank is closed: `closed: Maundy Thursday to Easter Monday`, or `closed` for a weekend. */
export function closureText({ names }: Closure): string {
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined || last === undefined) return 'closed';
  return first === last ? `closed: ${first}` : `closed: ${first} to ${last}`;
}
