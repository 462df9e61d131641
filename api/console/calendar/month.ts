import type { AnswerTo } from '../../openapi/calls.ts';
import { clockRange, withinCalendar } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../../engine/values/instant.ts';
import {
  addDays,
  dateInMonth,
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

/** The month of a text `2027-03`, or null if the calendar does not know it. */
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
  const { days } = await call.ask('/calendar', { query: { from: first, to: addDays(end, -1) } });
  // A payment wanted on one of the last days may be paid after closed days of the next month, one of the first days
  // before the month.
  const [earliest, latest] = [
    withinCalendar(addDays(first, -maxClosureDays)),
    withinCalendar(addDays(end, maxClosureDays)),
  ];
  const { runs } = await call.ask('/runs', { query: { from: earliest, to: latest } });
  const until = addDays(latest, 1);
  const foreseen =
    until > today ? await call.attempt('/forecast', { query: { to: until } }) : { answer: null, problem: null };
  const executions = foreseen.answer?.executions ?? [];
  const returns = Map.groupBy((foreseen.answer?.planned ?? []).filter(isReturn), ({ date }) => date);
  const reports = new Map(runs.map((run) => [run.id, run]));
  const coming = Map.groupBy(executions, ({ run }) => `${run.date}/${run.number}`);
  const isOwn = ({ id }: Run): boolean => id >= first && id < end;
  // The other runs only tell of payments that were moved.
  const [own, others] = [runs.filter(isOwn), runs.filter((run) => !isOwn(run))];
  const { attempts, isWhole } = await attemptsOf(call, [...own, ...others]);
  return {
    today,
    // It is null if nothing of the month is to come, or it cannot be foreseen.
    problem: foreseen.problem,
    // Payments that were moved from a day of the month.
    moves: movesOf([...[...attempts.values()].flat(), ...executions]),
    // It is false if there are too many attempts to read them all.
    isWhole,
    days: days.map(({ date, reason, earlyClose, runs: slots }) => ({
      date,
      // `12:00, foreign 09:00`, or null if the bank does not close early.
      closesAt: earlyClose === undefined ? null : earlyText(earlyClose),
      // Why the bank is closed, or null if it settles.
      closed: reason ?? null,
      // What banks of creditors will send back.
      returns: returns.get(date) ?? [],
      slots: slots.map(({ id, at, only, cutOffs = [] }) => ({
        id,
        at,
        // The customers or the products that it tries, or null if it tries all.
        only: [...(only === undefined ? [] : [only]), ...cutOffs].join(', ') || null,
        // What it did, or null if it had nothing to do or is still to come.
        report: reports.get(id) ?? null,
        // What it tried or will try, as far as it is read.
        tries: attempts.get(id) ?? coming.get(id) ?? [],
        isOver: Date.parse(at) <= Date.parse(now),
      })),
    })),
  };
}

/** Whether an event of a forecast is money that the bank of a creditor sends back (rules.md D1c). */
function isReturn({ event }: { readonly event: string }): boolean {
  return event.startsWith('returned, ');
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

/** A payment that is due on another date than the wanted one. */
export type Move = ReturnType<typeof movesOf>[number];

/** Maximum number of attempts that are read. */
const maxAttempts = 1000;

/** The attempts of past runs, by run: those of the first runs that fit. */
async function attemptsOf(call: PageCall, runs: readonly Run[]) {
  const read = new Map<string, readonly Attempt[]>();
  let [sum, isWhole] = [0, true];
  for (const { id, settled, retried, rejected } of runs) {
    const count = settled + retried + rejected;
    const isRead = sum + count <= maxAttempts;
    if (!isRead) isWhole = false;
    if (count === 0 || !isRead) continue;
    sum += count;
    read.set(id, (await call.ask('/runs/:runId', { params: { runId: id } })).attempts);
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
