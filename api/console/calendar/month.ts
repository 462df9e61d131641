import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../../engine/values/instant.ts';
import {
  addDays,
  dateInMonth,
  type LocalDate,
  monthNumber,
  parseLocalDate,
} from '../../../engine/values/local-date.ts';
import type { Static } from '../../bodies/schema.ts';
import { clock } from '../../control/answers.ts';
import { calendarDays } from '../../control/clock/get-calendar.ts';
import { forecastAnswer } from '../../control/clock/forecast.ts';
import { runList } from '../../control/runs/runs.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';
import type { ViewCall } from '../console-view.ts';

type Run = Static<typeof runList>['runs'][number];
type Execution = Static<typeof forecastAnswer>['executions'][number];

/** A settlement run of a month. */
export interface Slot {
  readonly id: string;
  readonly at: string;
  /** What it did; null: it had nothing to do, or is still to come. */
  readonly report: Run | null;
  /** What it will do; empty: nothing, or it is over. */
  readonly waiting: readonly Execution[];
  readonly isOver: boolean;
}

export interface Day {
  readonly date: LocalDate;
  /** Why the bank is closed; null: it settles. */
  readonly closed: string | null;
  readonly slots: readonly Slot[];
}

export interface Month {
  readonly first: LocalDate;
  readonly today: string;
  readonly days: readonly Day[];
  /** Null: nothing of the month is to come, or it cannot be foreseen. */
  readonly problem: ProblemFacts | null;
}

/** The months that the calendar knows, `1991-01`. */
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
export async function readMonth(call: ViewCall, first: LocalDate): Promise<Month> {
  const { now, date: today } = await call.ask('/clock', clock);
  const last = addDays(monthsFrom(first, 1), -1);
  const query = { from: first, to: last };
  const { days } = await call.ask('/calendar', calendarDays, { query });
  const { runs } = await call.ask('/runs', runList, { query });
  const end = monthsFrom(first, 1);
  const foreseen =
    end > today
      ? await call.attempt('/forecast', forecastAnswer, { query: { to: end } })
      : { answer: null, problem: null };
  const reports = new Map(runs.map((run) => [run.id, run]));
  const waiting = Map.groupBy(foreseen.answer?.executions ?? [], ({ run }) => `${run.date}/${run.number}`);
  return {
    first,
    today,
    problem: foreseen.problem,
    days: days.map(({ date, reason, runs: slots }) => ({
      date,
      closed: reason ?? null,
      slots: slots.map(({ id, at }) => ({
        id,
        at,
        report: reports.get(id) ?? null,
        waiting: waiting.get(id) ?? [],
        isOver: Date.parse(at) <= Date.parse(now),
      })),
    })),
  };
}
