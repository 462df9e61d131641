import { movedPart } from '../causes/sentence.ts';
import * as Type from 'typebox';
import { inspectRun, listRuns, type RunAttempt } from '../../engine/runs/list-runs.ts';
import { choice, closed, date, integer, text } from '../bodies/schema.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { accountNumber, listAnswer, movedMembers, money, paymentIds, period, runReport, told } from './answers.ts';
import { periodIn } from './read-query.ts';
import type { AnswerValue } from '../bodies/written.ts';

const attempt = closed(
  {
    ...paymentIds,
    item: Type.Optional(text('of a bulk payment', 'payments[3]')),
    account: accountNumber,
    payee: text('the name of the creditor', 'Company 123'),
    nominalDate: Type.Optional(date),
    executionDate: date,
    ...movedMembers,
    attempt: integer('which attempt it was', { minimum: 1, maximum: 5 }),
    available: money,
    needed: money,
    outcome: choice('how it ended', ['settle', 'retry', 'reject']),
    reason: told(
      'why: closed days that moved it, and the funds',
      '50.00 NOK short at the first attempt, run 05:30 on 30 March',
    ),
  },
  {
    title: 'RunAttempt',
    description: 'A payment, an item or an occurrence that the run tried, with the funds that it saw.',
  },
);

export const runList = listAnswer('runs', 'RunList', runReport);

export const runWithAttempts = closed(
  { ...runReport.properties, attempts: Type.Array(attempt) },
  { title: 'RunWithAttempts', examples: [{ settled: 1 }] },
);

/** `/sandbox/runs`: the settlement runs that had work (rules.md T6). */
export const runs = [
  controlEndpoint('GET /runs', {
    summary: 'List the settlement runs that had work, the newest first',
    query: period('bank date'),
    answer: runList,
    handle: async ({ bank, query }) => ({ runs: await listRuns(bank, periodIn(query)) }),
  }),
  controlEndpoint('GET /runs/:runId', {
    summary: 'Read a settlement run with each attempt',
    answer: runWithAttempts,
    handle: async ({ bank, params }) => {
      const { attempts, ...own } = await inspectRun(bank, params.runId);
      return { ...own, attempts: attempts.map(formatAttempt) };
    },
  }),
] as const;

/** Only a bulk payment has `item`, only a standing order `nominalDate`, as in a forecast. */
function formatAttempt({ item, isOccurrence, nominalDate, causes, ...own }: RunAttempt): AnswerValue<typeof attempt> {
  return {
    ...own,
    item: item ?? undefined,
    nominalDate: isOccurrence ? nominalDate : undefined,
    ...movedPart(causes),
    reason: causes,
  };
}
