import { customerTypes } from '../../../engine/values/customer-type.ts';
import { closingNames } from '../../../engine/time/rules/cut-offs.ts';
import { quote } from '../../../engine/values/text.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { osloDate, formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { daysBetween, formatWeekday, type LocalDate, parseLocalDate } from '../../../engine/values/local-date.ts';
import { describeCalendar, type CalendarDay } from '../../../engine/bank/read-clock.ts';
import { listAnswer } from '../answers/forms.ts';
import { run } from '../answers/clock-and-runs.ts';
import { choice, integer, listOf, meaning, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { date, date as dateSchema } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { type Problem, refusedAt } from '../../pipeline/problem.ts';
import { runId } from '../../../engine/time/rules/settlement-run.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import { previewSchedule, type SchedulePreview } from '../../../engine/payments/preview-schedule.ts';
import { periodicPaymentBody } from '../../interface/payments/payment-bodies.ts';
import { sentence } from '../../causes/cause-sentences.ts';
import { countIn, instantIn } from '../read-query.ts';

const first = osloDate(clockRange.from);
const last = osloDate(clockRange.to);
/** Three years with one leap day. */
const maxDays = 3 * 365 + 1;

const calendarRun = titled('CalendarRun', 'A settlement run of a day.').closed({
  ...run.properties,
  only: optional(choice('the customers whose payments it tries, by default all', customerTypes)),
  cutOffs: optional(
    listOf(
      text('a cut-off, as the setting names it', 'foreign'),
      'the cut-offs after the last run of their customers: it tries these products too, and books nothing if it is at no settlement time',
    ),
  ),
});

/** A day of the bank in an answer, made by {@link formatDay}. */
export const calendarDay = titled('CalendarDay').closed({
  date: dateSchema,
  weekday: text('the day of the week', 'Tuesday'),
  type: choice('whether the bank settles', ['banking', 'closed']),
  reason: optional(text('why it is closed: the name of the holiday, Saturday or Sunday', 'Good Friday')),
  runs: listOf(calendarRun),
  earlyClose: optional(
    titled('EarlyClose', 'The cut-offs of a day that closes early.').closed(
      Object.fromEntries(closingNames.map((name) => [name, optional(text('a time of day in Oslo', '12:00'))])),
    ),
  ),
});

/** `GET /sandbox/calendar?from&to`: each day, both ends included, with its runs or the reason of its closure. */
export const getCalendar = controlEndpoint('GET /calendar', {
  summary: 'The days of the bank: settlement runs, weekends and holidays',
  answer: listAnswer('days', 'Calendar', calendarDay),
  query: {
    from: meaning('The first day.', dateSchema),
    to: meaning('The last day, included; a call shows 1096 days (3 years) at most.', dateSchema),
  },
  handle: ({ bank, query }) => {
    const { from, to } = windowIn(query, maxDays);
    return Promise.resolve({ days: describeCalendar(bank, from, to).map(formatDay) });
  },
});

/**
 * The days `from` and `to` of a call, both inclusive. Problem 400 unless both are there, in order, and make `days` days
 * at most.
 */
export function windowIn(
  query: ReadonlyMap<string, string>,
  days: number,
): { readonly from: LocalDate; readonly to: LocalDate } {
  const refuse = (path: string, detail: string): Problem =>
    refusedAt(path, detail, { from: first, to: last, most: `${days} days` });
  const [from, to] = (['from', 'to'] as const).map((name) => {
    const text = query.get(name);
    if (text === undefined) throw refuse(name, `The query parameter ${name} is missing: a date, YYYY-MM-DD.`);
    const date = parseLocalDate(text);
    if (date === null) throw refuse(name, `${name} is ${quote(text, 40)}: expected a date, YYYY-MM-DD.`);
    if (date < first || date > last) throw refuse(name, `${name} is ${date}: the calendar shows ${first} to ${last}.`);
    return date;
  }) as [LocalDate, LocalDate];
  if (from > to) throw refuse('to', `to ${to} is before from ${from}.`);
  if (daysBetween(from, to) >= days) throw refuse('to', `One call shows ${days} days at most, both ends counted.`);
  return { from, to };
}

/** A day of the bank, as an answer has it. */
export function formatDay({ date, closure, runs, earlyClose }: CalendarDay): AnswerValue<typeof calendarDay> {
  return {
    date,
    weekday: formatWeekday(date),
    type: closure === null ? 'banking' : 'closed',
    reason: closure ?? undefined,
    earlyClose: Object.keys(earlyClose).length > 0 ? earlyClose : undefined,
    runs: runs.map((run) => ({ id: runId(run), at: run.at, only: run.only, cutOffs: run.cutOffs })),
  };
}

const usualCount = 100;
/** In one answer. */
const maxOccurrences = 10_000;

const occurrence = titled('Occurrence', 'One execution of a standing order.').closed({
  nominalDate: date,
  executionDate: date,
  reason: optional(text('why the two differ', 'Sat 28 Nov, closed: weekend, due Mon 30 Nov')),
});

const warning = titled('Warning').closed({
  code: choice('what it is about', ['EXECUTION_DATE_INVALID', 'FORMAT_ERROR']),
  path: text('a member of the body', 'dayOfExecution'),
  text: text('what is ignored or moved'),
});

const scheduleAnswer = titled('Schedule', 'When a standing order would be paid.').closed({
  occurrences: listOf(occurrence),
  warnings: optional(listOf(warning)),
});

/**
 * `POST /sandbox/schedule`: the dates of a standing order that is signed at `?signedAt=`, at most `?count=`. Creates
 * nothing.
 */
export const schedule = controlEndpoint('POST /schedule', {
  summary: 'The dates of a standing order, without creating it',
  answer: scheduleAnswer,
  query: {
    count: optional(
      integer('how many occurrences at most', { minimum: 1, maximum: maxOccurrences, default: usualCount }),
    ),
    signedAt: optional(
      text(
        'when the payment would be signed: a date or an instant with its offset; occurrences that passed before it are left out. Left out: now, and passed occurrences are listed',
        '2027-03-31',
      ),
    ),
  },
  body: periodicPaymentBody,
  handle: async (call) => {
    const terms = {
      count: countIn(call.query, 'count', { least: 1, most: maxOccurrences, otherwise: usualCount }),
      signedAt: signedAtOf(call.query.get('signedAt')),
    };
    return formatSchedule(await previewSchedule(call.bank, call.readBody(), terms));
  },
});

function formatSchedule({ occurrences, warnings }: SchedulePreview): Static<typeof scheduleAnswer> {
  const dates = occurrences.map(({ nominalDate, executionDate, moved }) => {
    return { nominalDate, executionDate, ...(moved !== null && { reason: sentence(moved) }) };
  });
  return { occurrences: dates, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

/** Throws a Problem 400 unless the text is an instant that the bank clock can show. */
function signedAtOf(text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const instant = instantIn(text);
  if (instant !== null && instant >= clockRange.from && instant <= clockRange.to) return instant;
  const range = `from ${formatInstant(clockRange.from)} to ${formatInstant(clockRange.to)}`;
  const detail = `signedAt is ${quote(text, 40)}: expected a date, or an instant with its offset, ${range}.`;
  throw refusedAt('signedAt', detail, undefined, 'FORMAT_ERROR');
}
