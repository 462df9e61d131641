import * as Type from 'typebox';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { quote } from '../../../engine/values/text.ts';
import { runsBetween } from '../../../engine/accounts/customer-accounts.ts';
import { accountNumber } from '../../../engine/payments/rules/payment-initiation.ts';
import { previewSchedule, type SchedulePreview } from '../../../engine/runs/preview-schedule.ts';
import { periodicPaymentBody } from '../../interface/payments/payment-bodies.ts';
import { sentence } from '../../causes/sentence.ts';
import { choice, closed, date, integer, type Static, text } from '../../bodies/schema.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { instantIn } from '../read-query.ts';
import { refusedAt } from '../../pipeline/problem.ts';

const usualCount = 100;
/** In one answer. */
export const maxOccurrences = 10_000;

const occurrence = closed(
  {
    nominalDate: date,
    executionDate: date,
    reason: Type.Optional(text('why the two differ', 'Sat 28 Nov, closed: weekend, due Mon 30 Nov')),
  },
  { title: 'Occurrence', description: 'One execution of a periodic payment.' },
);

const warning = closed(
  {
    code: choice('what it is about', ['EXECUTION_DATE_INVALID', 'FORMAT_ERROR']),
    path: text('a member of the body', 'dayOfExecution'),
    text: text('what is ignored or moved'),
  },
  { title: 'Warning' },
);

const scheduleAnswer = closed(
  { occurrences: Type.Array(occurrence), warnings: Type.Optional(Type.Array(warning)) },
  { title: 'Schedule', description: 'When a periodic payment would be paid.' },
);

/** `POST /sandbox/schedule`: the dates of a periodic payment that is signed at `?signedAt=`, at most `?count=`. Creates nothing. */
export const schedule = controlEndpoint('POST /schedule', {
  summary: 'The dates of a periodic payment, without creating it',
  answer: scheduleAnswer,
  query: {
    count: Type.Optional(
      integer('how many occurrences at most', { minimum: 1, maximum: maxOccurrences, default: usualCount }),
    ),
    signedAt: Type.Optional(
      text(
        'when the payment would be signed: a date or an instant with its offset; occurrences that passed before it are left out. Left out: now, and passed occurrences are listed',
        '2027-03-31',
      ),
    ),
  },
  body: periodicPaymentBody,
  handle: async (call) => {
    const terms = {
      count: countOf(call.query.get('count')),
      signedAt: signedAtOf(call.query.get('signedAt')),
      now: (await readClock(call.bank)).now,
    };
    const body = call.readBody();
    const runs = await runsBetween(call.bank, accountNumber(body.debtorAccount), accountNumber(body.creditorAccount));
    return formatSchedule(previewSchedule(runs, body, terms));
  },
});

/** The answer, which `sandbank next-dates --json` prints too. */
export function formatSchedule({ occurrences, warnings }: SchedulePreview): Static<typeof scheduleAnswer> {
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

function countOf(text: string | undefined): number {
  if (text === undefined) return usualCount;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= maxOccurrences) return count;
  const detail = `count is ${quote(text, 40)}: expected a whole number from 1 to ${maxOccurrences}.`;
  throw refusedAt('count', detail);
}
