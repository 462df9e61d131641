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
import { forecastAnswer } from '../../control/clock/forecast-answer.ts';
import { paymentAnswer } from '../../control/payments/get-payment.ts';
import { runList, runWithAttempts } from '../../control/runs.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';
import type { PageCall } from '../page-call.ts';
import { textAt } from '../payments/sent-body.ts';

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
export async function readMonth(call: PageCall, first: LocalDate): Promise<Month> {
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

/** A payment that is paid on another day than the one that was asked for. */
export interface Move {
  readonly paymentId: string;
  readonly creditor: string | null;
  readonly from: string;
  readonly to: LocalDate;
  /** The rule, and the holidays by name. */
  readonly why: string;
}

/** Maximum number of payments read, and of attempts of a run. */
const [maxPayments, maxAttempts] = [40, 500];

/**
 * Payments moved into or within a month. They land beside closed days, so only the payments of those days are read. `others`: how
 * many of these were not read.
 */
export async function movesOf(
  call: PageCall,
  { days }: Month,
): Promise<{ readonly moves: readonly Move[]; readonly others: number }> {
  const found = new Set<string>();
  for (const [index, { slots, closed }] of days.entries()) {
    const isBeside = [days[index - 1], days[index + 1]].some((day) => day === undefined || day.closed !== null);
    if (closed !== null || !isBeside) continue;
    for (const { report, waiting } of slots) {
      for (const { paymentId } of waiting) found.add(paymentId);
      if (report === null || report.settled + report.retried + report.rejected === 0) continue;
      const run = await call.ask('/runs/:runId', runWithAttempts, { params: { runId: report.id } });
      for (const { paymentId } of run.attempts.slice(0, maxAttempts)) found.add(paymentId);
    }
  }
  const moves: Move[] = [];
  const shown = new Set(days.map(({ date }) => date));
  for (const paymentId of [...found].slice(0, maxPayments)) {
    const { occurrences, initiation } = await call.ask('/payments/:paymentId', paymentAnswer, {
      params: { paymentId },
    });
    const asked = textAt(initiation, 'requestedExecutionDate');
    for (const { nominalDate, executionDate: to, moved: why, item } of occurrences) {
      if (why === undefined || !shown.has(to) || (item !== undefined && item !== 'payments[0]')) continue;
      moves.push({ paymentId, creditor: textAt(initiation, 'creditorName'), from: asked ?? nominalDate, to, why });
    }
  }
  return { moves, others: Math.max(0, found.size - maxPayments) };
}
