import { parseLocalDate } from '../../../engine/values/local-date.ts';
import { html, type Html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { type PageCall, type Shown, view } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { empty, facts, nothing } from '../parts/blocks.ts';
import { paged, table } from '../parts/tables.ts';
import { accountLink, payeeLink, type Next, toPay } from '../parts/links.ts';
import { counted, foreign, money, outcomeTag } from '../parts/text.ts';
import { instantText, monthText } from '../../pages/format.ts';

type Attempt = AnswerTo<'GET /runs/:runId'>['attempts'][number];
type Execution = AnswerTo<'GET /forecast'>['executions'][number];

const path = '/runs/:runId';
const attemptsOfPage = 100;

/** What one run tried, or will try. */
export const runView = view(path, [], async (call) => {
  const { answer, problem } = await call.attempt(path, { params: call.params });
  if (answer !== null) return report(call, answer);
  const at = await scheduled(call, call.params['runId'] ?? '');
  if (at === null) throw new Problem(problem);
  const { now } = await call.clock();
  const title = `Run of ${instantText(at)}`;
  if (Date.parse(at) <= Date.parse(now)) {
    return { title, content: empty('This run had nothing to do.', month(call, at)) };
  }
  const { executions } = await call.ask('/forecast', { query: { to: at } });
  const own = executions.filter(({ run }) => run.at === at);
  const content =
    own.length === 0
      ? empty('No payment waits for this run.', toPay(call))
      : html`<h2>What it will do</h2>
          ${paged(call, own, (rows) => attemptTable(call, rows, false), { limit: attemptsOfPage })}`;
  return { title, lead: 'This run is to come.', content: html`${content} ${monthLink(call, at)}` };
});

function report(call: PageCall, { attempts, ...run }: AnswerTo<'GET /runs/:runId'>): Shown {
  return {
    title: `Run of ${instantText(run.at)}`,
    lead: runSummary(run),
    content: html`${facts({ 'Started by': setOffBy(run) })}
      <h2>Attempts</h2>
      ${paged(call, attempts, (rows) => attemptTable(call, rows), {
        limit: attemptsOfPage,
        none: nothing('This run tried no payment.'),
      })}
      ${monthLink(call, run.at)}`,
  };
}

const triggers = {
  cron: 'the alarm at its time',
  heartbeat: 'the alarm of each second',
  advance: 'an advance of the clock',
  start: 'the start of the bank',
} as const satisfies Record<AnswerTo<'GET /runs'>['runs'][number]['trigger'], string>;

/** `the alarm at its time, 3 ms late` (rules.md T5b). */
function setOffBy({ trigger, lateMs }: Pick<AnswerTo<'GET /runs'>['runs'][number], 'trigger' | 'lateMs'>): string {
  return lateMs === null ? triggers[trigger] : `${triggers[trigger]}, ${lateMs} ms late`;
}

/** `2 settled, 1 short of funds, 3 entries booked`. */
export function runSummary(run: AnswerTo<'GET /runs'>['runs'][number]): string {
  const { settled, retried, rejected, booked, registered } = run;
  const parts = [
    settled > 0 && `${settled} settled`,
    retried > 0 && `${retried} short of funds`,
    rejected > 0 && `${rejected} rejected`,
    booked > 0 && `${counted(booked, 'entry', 'entries')} booked`,
    registered > 0 && `${counted(registered, 'date')} of standing orders registered`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** What a run tried or will try, with the funds that it sees, and why it goes so. */
export function attemptTable(call: PageCall, attempts: readonly (Attempt | Execution)[], isPast = true): Html {
  return table('Attempts, in the order of the run', attempts, [
    ['Payee', (each) => payeeLink(call, each), 'text'],
    ['Outcome', ({ outcome }) => outcomeTag(outcome, isPast)],
    ['Why', ({ reason }) => foreign(reason), 'text'],
    ['Needed', ({ needed }) => money(needed), 'figures'],
    ['Available', ({ available }) => money(available), 'figures'],
    ...(isPast
      ? [['Attempt', (each: Attempt | Execution) => 'attempt' in each && `${each.attempt} of 5`, 'figures'] as const]
      : []),
    ['From', ({ account }) => accountLink(call, account)],
  ]);
}

/** The month of a run in the calendar. */
function month(call: PageCall, at: string): Next {
  const to = pathTo('/calendar', { query: { month: at.slice(0, 7) } });
  return { href: call.to(to), text: `The calendar of ${monthText(at.slice(0, 10))}` };
}

function monthLink(call: PageCall, at: string): Html {
  const { href, text } = month(call, at);
  return html`<p><a href="${href}">${text}</a></p>`;
}

/** The instant of the run with this id (`2027-03-30-1`), or null if the calendar has no such run. */
async function scheduled(call: PageCall, id: string): Promise<string | null> {
  const date = parseLocalDate(id.slice(0, 10));
  if (date === null) return null;
  const { answer } = await call.attempt('/calendar', { query: { from: date, to: date } });
  const runs = answer?.days.flatMap((day) => day.runs) ?? [];
  return runs.find((run) => run.id.replace('/', '-') === id.replace('/', '-'))?.at ?? null;
}
