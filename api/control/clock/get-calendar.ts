import * as Type from 'typebox';
import { customerTypes } from '../../../engine/values/customer-type.ts';
import { closingNames } from '../../../engine/time/rules/cut-offs.ts';
import { quote } from '../../../engine/values/text.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../../engine/values/instant.ts';
import { daysBetween, formatWeekday, type LocalDate, parseLocalDate } from '../../../engine/values/local-date.ts';
import { describeCalendar, type CalendarDay } from '../../../engine/bank/read-clock.ts';
import { listAnswer, run } from '../answers.ts';
import { choice, closed, date as dateSchema, meaning, text } from '../../bodies/schema.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { type Problem, refusedAt } from '../../pipeline/problem.ts';
import { runId } from '../../../engine/time/rules/settlement-run.ts';
import type { AnswerValue } from '../../bodies/written.ts';

const first = osloDate(clockRange.from);
const last = osloDate(clockRange.to);
/** Three years with one leap day. */
const maxDays = 3 * 365 + 1;

const calendarRun = closed(
  {
    ...run.properties,
    only: Type.Optional(choice('the customers whose payments it tries; left out: all', customerTypes)),
    cutOffs: Type.Optional(
      Type.Array(text('a cut-off, as the setting names it', 'foreign'), {
        description:
          'the cut-offs after the last run of their customers: it tries these products too, and books nothing if it is at no settlement time',
      }),
    ),
  },
  { title: 'CalendarRun', description: 'A settlement run of a day.' },
);

const day = closed(
  {
    date: dateSchema,
    weekday: text('the day of the week', 'Tuesday'),
    type: choice('whether the bank settles', ['banking', 'closed']),
    reason: Type.Optional(text('why it is closed: the name of the holiday, Saturday or Sunday', 'Good Friday')),
    runs: Type.Array(calendarRun),
    earlyClose: Type.Optional(
      closed(
        Object.fromEntries(closingNames.map((name) => [name, Type.Optional(text('a time of day in Oslo', '12:00'))])),
        { title: 'EarlyClose', description: 'The cut-offs of a day that closes early.' },
      ),
    ),
  },
  { title: 'CalendarDay' },
);

export const calendarDays = listAnswer('days', 'Calendar', day);

/** `GET /sandbox/calendar?from&to`: each day, both ends included, with its runs or the reason of its closure. */
export const getCalendar = controlEndpoint('GET /calendar', {
  summary: 'The days of the bank: settlement runs, weekends and holidays',
  answer: calendarDays,
  query: {
    from: meaning('The first day.', dateSchema),
    to: meaning('The last day, included; 3 years after the first at most.', dateSchema),
  },
  handle: ({ bank, query }) => {
    const [from, to] = [dateOf(query, 'from'), dateOf(query, 'to')];
    if (from > to) throw refused('to', `to ${to} is before from ${from}.`);
    if (daysBetween(from, to) > maxDays) throw refused('to', 'One call shows 3 years at most.');
    return Promise.resolve({ days: describeCalendar(bank, from, to).map(formatDay) });
  },
});

function dateOf(query: ReadonlyMap<string, string>, name: string): LocalDate {
  const text = query.get(name);
  if (text === undefined) throw refused(name, `The query parameter ${name} is missing: a date, YYYY-MM-DD.`);
  const date = parseLocalDate(text);
  if (date === null) throw refused(name, `${name} is ${quote(text, 40)}: expected a date, YYYY-MM-DD.`);
  if (date < first || date > last) throw refused(name, `${name} is ${date}: the calendar shows ${first} to ${last}.`);
  return date;
}

function refused(path: string, detail: string): Problem {
  return refusedAt(path, detail, { from: first, to: last, years: '3' });
}

function formatDay({ date, closure, runs, earlyClose }: CalendarDay): AnswerValue<typeof day> {
  return {
    date,
    weekday: formatWeekday(date),
    type: closure === null ? 'banking' : 'closed',
    reason: closure ?? undefined,
    earlyClose: Object.keys(earlyClose).length > 0 ? earlyClose : undefined,
    runs: runs.map((run) => ({ id: runId(run), at: run.at, only: run.only, cutOffs: run.late?.settings })),
  };
}
