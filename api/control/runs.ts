import { lastAttempt } from '../../engine/settlement/rules/decide-attempts.ts';
import { movedPart } from '../causes/cause-sentences.ts';
import { inspectRun, listRuns, type RunAttempt, type ForecastExecution } from '../../engine/runs/list-runs.ts';
import { choice, closed, integer, listOf, meaning, optional, text, titled } from '../bodies/schema.ts';
import { date } from '../bodies/values.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { accountNumber, paymentIds, paymentId } from './answers/names.ts';
import { listAnswer, money, period, told, answeredInstant, firstRun } from './answers/forms.ts';
import { movedMembers, runReport } from './answers/clock-and-runs.ts';
import { periodIn, instantIn } from './read-query.ts';
import { quote } from '../../engine/values/text.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { forecast as forecastOf, type ForecastTarget } from '../../engine/runs/forecast.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { story } from '../bodies/examples.ts';

const attempt = titled(
  'RunAttempt',
  'A payment, an item or an occurrence that the run tried, with the funds that it saw.',
).closed({
  ...paymentIds,
  item: optional(text('of a bulk payment', 'payments[3]')),
  account: accountNumber,
  payee: text('the name of the creditor', 'Company 123'),
  nominalDate: optional(date),
  executionDate: date,
  ...movedMembers,
  attempt: integer('which attempt it was', { minimum: 1, maximum: lastAttempt }),
  available: money,
  needed: money,
  outcome: choice('how it ended', ['settle', 'retry', 'reject']),
  reason: told(
    'why: closed days that moved it, and the funds',
    '50.00 NOK short at the first attempt, run of Tue 30 Mar, 05:30',
  ),
});

const runWithAttempts = titled('RunWithAttempts', { examples: [{ settled: 1 }] }).closed({
  ...runReport.properties,
  attempts: listOf(attempt),
});

/** `/sandbox/runs`: the settlement runs that had work (rules.md T6). */
export const runs = [
  controlEndpoint('GET /runs', {
    summary: 'List the settlement runs that had work, the newest first',
    query: period('bank date'),
    answer: listAnswer('runs', 'RunList', runReport),
    handle: async ({ bank, query }) => ({ runs: await listRuns(bank, periodIn(query)) }),
  }),
  controlEndpoint('GET /runs/:runId', {
    summary: 'Read a settlement run with each attempt',
    answer: runWithAttempts,
    handle: async ({ bank, params }) => {
      const { attempts, ...own } = await inspectRun(bank, params.runId);
      return { ...own, attempts: attempts.map((attempt) => ({ ...attempt, ...tellingPart(attempt) })) };
    },
  }),
] as const;

/** Only a bulk payment has `item`, only a standing order `nominalDate`. */
function tellingPart({ item, isOccurrence, nominalDate, causes }: RunAttempt | ForecastExecution) {
  return {
    item: item ?? undefined,
    nominalDate: isOccurrence ? nominalDate : undefined,
    ...movedPart(causes),
    reason: causes,
  };
}

/** A future attempt, in the forecast. */
export const forecastExecution = titled('ForecastExecution', 'An attempt of a future settlement run.').closed({
  ...paymentIds,
  paymentId: optional(meaning('Left out of a payment that a life has not ordered yet.', paymentId)),
  item: optional(text('the path of the item; only in a bulk payment', 'payments[1]')),
  account: text('the account that pays, its BBAN or its IBAN', story.debtorBban),
  payee: text('the name of the creditor', 'Company 123'),
  nominalDate: optional(date),
  executionDate: date,
  ...movedMembers,
  run: closed({
    date,
    number: integer('the number of the run on its day, from 1', { minimum: 1 }),
    at: answeredInstant('when it is carried out', firstRun),
  }),
  outcome: choice('what the run will do', ['settle', 'retry', 'reject']),
  available: money,
  needed: money,
  credit: optional(
    closed(
      { account: text('its BBAN or its IBAN', story.creditorBban), amount: money },
      { description: 'the amount that an account of this bank receives if the attempt settles' },
    ),
  ),
  reason: told('why: closed days that move the date, and the funds', 'funds suffice'),
});

/** A future event of a life. */
const plannedEvent = titled(
  'PlannedEvent',
  'A transfer of a life whose day is known before, interest or a fee. Purchases are not listed; standing orders are attempts.',
).closed({
  date,
  at: answeredInstant('when it happens', firstRun),
  account: text('the account, its BBAN or its IBAN', story.debtorBban),
  amount: money,
  event: text('the event of the persona', 'salary'),
});

/** The answer of `GET /sandbox/forecast`. */
export const forecastAnswer = titled('Forecast', 'What the settlement runs will do if nothing else happens.').closed({
  from: answeredInstant('the bank clock'),
  to: answeredInstant('the end of the forecast', firstRun),
  executions: listOf(forecastExecution),
  planned: listOf(plannedEvent),
});

/** `GET /sandbox/forecast?to=` says what the runs until then will do, and why. It changes nothing. */
export const forecast = controlEndpoint('GET /forecast', {
  summary: 'What the settlement runs will do, and why',
  answer: forecastAnswer,
  query: { to: text('how far: a date, an instant with its offset, or a duration; 10 years at most', 'P30D') },
  handle: async ({ bank, query }) => {
    const { from, to, executions, planned } = await forecastOf(bank, targetOf(query.get('to')));
    const shown = executions.map((execution) => ({
      ...execution,
      ...tellingPart(execution),
      paymentId: execution.paymentId ?? undefined,
      credit: execution.credit ?? undefined,
    }));
    return { from, to, executions: shown, planned };
  },
});

function targetOf(text: string | undefined): ForecastTarget {
  const instant = instantIn(text ?? '');
  if (instant !== null) return { to: instant };
  const duration = parseDuration(text ?? '');
  if (duration !== null) return { by: duration };
  const found = text === undefined ? 'missing' : quote(text, 40);
  const detail = `to is ${found}: expected a date, an instant with its offset, or a duration such as P30D.`;
  const allowed = ['2027-03-31', '2027-03-31T12:00:00+02:00', 'P30D', 'P1M', 'PT12H'];
  throw refusedAt('to', detail, allowed, 'FORMAT_ERROR');
}
