import type { AnswerTo } from '../../openapi/calls.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../../engine/values/instant.ts';
import {
  addDays,
  dateInMonth,
  localDate,
  type LocalDate,
  monthNumber,
  parseLocalDate,
} from '../../../engine/values/local-date.ts';
import type { PageCall } from '../page-call.ts';

type Run = AnswerTo<'GET /runs'>['runs'][number];
type Attempt = AnswerTo<'GET /runs/:runId'>['attempts'][number];
type Execution = AnswerTo<'GET /forecast'>['executions'][number];
type Try = Attempt | Execution;

export type Month = Awaited<ReturnType<typeof readMonth>>;
export type Day = Month['days'][number];
/** A settlement run of a month. */
export type Slot = Day['slots'][number];

/** The months that the calendar knows, `1990-01`. */
export const firstMonth = osloDate(clockRange.from).slice(0, 7);
export const lastMonth = osloDate(clockRange.to).slice(0, 7);

/** The month of a text `2027-03`; null: it is none that the calendar knows. */
export function monthIn(text: string): LocalDate | null {
  const isKnown = /^\d{4}-\d\d$/.test(text) && text >= firstMonth && text <= lastMonth;
  return isKnown ? parseLocalDate(`${text}-01`) : null;
}

/** The first day of a month so many months away. Throws outside the years 0001 to 9999. */
export function monthsFrom(first: LocalDate, count: number): LocalDate {
  return dateInMonth(monthNumber(first) + count, 1);
}

/** The days of a month with what each run did or will do. Throws what `GET /sandbox/calendar` refuses. */
export async function readMonth(call: PageCall, first: LocalDate) {
  const { now, date: today } = await call.clock();
  const end = monthsFrom(first, 1);
  // A payment wanted on one of the last days may be paid after closed days of the next month, one of the first days before the month.
  const query = { from: clamped(addDays(first, -maxClosureDays)), to: clamped(addDays(end, maxClosureDays)) };
  const { days } = await call.ask('/calendar', { query });
  const isShown = ({ date }: { readonly date: string }): boolean => date >= first && date < end;
  const own = days.filter(isShown);
  const landing = days.filter(
    (day, index) => day.type === 'banking' && isBeside(days, index) && (isShown(day) || reaches(days, index, isShown)),
  );
  const [earliest = first, latest = end] = [landing[0]?.date, landing.at(-1)?.date];
  const { runs } = await call.ask('/runs', {
    query: { from: min(earliest, first), to: max(latest, addDays(end, -1)) },
  });
  const until = max(addDays(localDate(latest), 1), end);
  const foreseen =
    until > today ? await call.attempt('/forecast', { query: { to: until } }) : { answer: null, problem: null };
  const executions = foreseen.answer?.executions ?? [];
  const planned = Map.groupBy(foreseen.answer?.planned ?? [], ({ date }) => date);
  const reports = new Map(runs.map((run) => [run.id, run]));
  const coming = Map.groupBy(executions, ({ run }) => `${run.date}/${run.number}`);
  const { attempts, isWhole } = await attemptsOf(call, runs, new Set(landing.map(({ date }) => date)));
  return {
    today,
    // Null: nothing of the month is to come, or it cannot be foreseen.
    problem: foreseen.problem,
    // Payments that were moved from a day of the month.
    moves: movesOf([...[...attempts.values()].flat(), ...executions]),
    // False: there are too many attempts to read them all.
    isWhole,
    days: own.map(({ date, reason, earlyClose, runs: slots }) => ({
      date,
      // `12:00, foreign 09:00`; null: the bank does not close early.
      closesAt: earlyClose === undefined ? null : earlyText(earlyClose),
      // Why the bank is closed; null: it settles.
      closed: reason ?? null,
      // What lives are known to do.
      planned: planned.get(date) ?? [],
      slots: slots.map(({ id, at, only, cutOffs = [] }) => ({
        id,
        at,
        // The customers or the products that it tries; null: all.
        only: [...(only === undefined ? [] : [only]), ...cutOffs].join(', ') || null,
        // What it did; null: it had nothing to do, or is still to come.
        report: reports.get(id) ?? null,
        // What it tried or will try, as far as it is read.
        tries: attempts.get(id) ?? coming.get(id) ?? [],
        isOver: Date.parse(at) <= Date.parse(now),
      })),
    })),
  };
}

/** `12:00, foreign 09:00` */
function earlyText(times: NonNullable<CalendarDay['earlyClose']>): string {
  return Object.entries(times)
    .map(([name, time]) => (name === 'all' ? String(time) : `${name} ${String(time)}`))
    .join(', ');
}

type CalendarDay = AnswerTo<'GET /calendar'>['days'][number];

/** In days; longer than the bank is ever closed without a break. */
const maxClosureDays = 10;

function clamped(date: LocalDate): LocalDate {
  return localDate(min(max(date, osloDate(clockRange.from)), osloDate(clockRange.to)));
}

const min = (one: string, other: string): string => (one < other ? one : other);
const max = (one: string, other: string): string => (one > other ? one : other);

function isBeside(days: readonly CalendarDay[], index: number): boolean {
  return [days[index - 1], days[index + 1]].some((day) => day === undefined || day.type === 'closed');
}

/** Whether only closed days lie between this day and a closed day of the month. */
function reaches(days: readonly CalendarDay[], index: number, isShown: (day: CalendarDay) => boolean): boolean {
  return [-1, 1].some((step) => {
    let at = index + step;
    while (days[at]?.type === 'closed' && !isShown(days[at] as CalendarDay)) at += step;
    const day = days[at];
    return day !== undefined && day.type === 'closed' && isShown(day);
  });
}

/** A payment that is due on another date than the wanted one. */
export type Move = ReturnType<typeof movesOf>[number];

/** Maximum number of attempts of a run, and of all runs away from closed days. */
const [maxAttempts, maxElsewhere] = [500, 500];

/** The attempts of past runs, by run. Runs beside closed days come first, because moved payments are paid there; then the latest others that fit. */
async function attemptsOf(
  call: PageCall,
  runs: readonly Run[],
  landing: ReadonlySet<string>,
): Promise<{ readonly attempts: ReadonlyMap<string, readonly Attempt[]>; readonly isWhole: boolean }> {
  const read = new Map<string, readonly Attempt[]>();
  let [elsewhere, isWhole] = [0, true];
  for (const { id, settled, retried, rejected } of runs) {
    const count = settled + retried + rejected;
    const isLanding = landing.has(id.slice(0, 10));
    if (!isLanding) elsewhere += count;
    const isRead = isLanding || elsewhere <= maxElsewhere;
    if (count > maxAttempts || !isRead) isWhole = false;
    if (count === 0 || !isRead) continue;
    const { attempts } = await call.ask('/runs/:runId', { params: { runId: id } });
    read.set(id, attempts.slice(0, maxAttempts));
  }
  return { attempts: read, isWhole };
}

/** The payments that were moved, each date once: the wanted date, and why the other one differs. */
function movesOf(all: readonly Try[]) {
  const moves = all.flatMap(({ paymentId, payee, executionDate, movedFrom: wanted = executionDate, moved: why }) =>
    paymentId === undefined || why === undefined ? [] : { paymentId, payee, wanted, why },
  );
  return [...new Map(moves.map((move) => [`${move.paymentId} ${move.wanted}`, move])).values()];
}
