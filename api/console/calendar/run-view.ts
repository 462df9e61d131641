import { parseLocalDate } from '../../../engine/values/local-date.ts';
import type { Static } from '../../bodies/schema.ts';
import { clock } from '../../control/answers.ts';
import { calendarDays } from '../../control/clock/get-calendar.ts';
import { forecastAnswer } from '../../control/clock/forecast.ts';
import { runWithAttempts } from '../../control/runs/runs.ts';
import { html, type Html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { forecastStory } from '../clock/forecast-story.ts';
import { pathTo, type ConsoleView, type Linking, type Shown, type ViewCall } from '../console-view.ts';
import { empty, facts, offsetIn, pager } from '../parts/lists.ts';
import { instant, instantText, monthText } from '../parts/text.ts';
import { attemptTable, runSummary } from './run-report.ts';

const path = '/runs/:runId';
const attemptsOfPage = 100;

/** What one run tried, or will try. */
export const runView: ConsoleView = {
  path,
  live: ['run', 'clock', 'reset'],
  show: async (call) => {
    const { answer, problem } = await call.attempt(path, runWithAttempts, { params: call.params });
    if (answer !== null) return report(call, answer);
    const at = await scheduled(call, call.params['runId'] ?? '');
    if (at === null) throw new Problem(problem);
    const { now } = await call.ask('/clock', clock);
    const title = `Run of ${instantText(at)}`;
    if (Date.parse(at) <= Date.parse(now)) {
      return { title, content: html`${empty('This run had nothing to do.')} ${monthLink(call, at)}` };
    }
    const { executions } = await call.ask('/forecast', forecastAnswer, { query: { to: at } });
    const own = executions.filter(({ run }) => run.at === at);
    const content =
      own.length === 0
        ? empty('No payment waits for this run.')
        : html`<h2>What it will do</h2>
            ${forecastStory(call, own)}`;
    return {
      title,
      content: html`<p class="lead">It is to come.</p>
        ${content} ${monthLink(call, at)}`,
    };
  },
};

function report(call: ViewCall, { attempts, ...run }: Static<typeof runWithAttempts>): Shown {
  const offset = offsetIn(call);
  const shown = attempts.slice(offset, offset + attemptsOfPage);
  const pages = { path: pathTo(path, { params: call.params }), query: {}, offset, limit: attemptsOfPage };
  return {
    title: `Run of ${instantText(run.at)}`,
    content: html`<p class="lead">${runSummary(run)}</p>
      ${facts([
        ['Run', run.id],
        ['At', instant(run.at)],
        ['Settled', run.settled],
        ['Tried again', run.retried],
        ['Rejected', run.rejected],
        ['Entries booked', run.booked],
        ['Dates registered', run.registered],
      ])}
      <h2>Attempts</h2>
      ${shown.length === 0 ? empty('This run tried no payment.') : attemptTable(call, shown)}
      ${attempts.length > attemptsOfPage && pager(call, { ...pages, total: attempts.length })}
      ${monthLink(call, run.at)}`,
  };
}

function monthLink(call: Linking, at: string): Html {
  const to = pathTo('/calendar', { query: { month: at.slice(0, 7) } });
  return html`<p><a href="${call.to(to)}">The calendar of ${monthText(at.slice(0, 10))}</a></p>`;
}

/** When a run of the calendar is, by its id `2027-03-30-1`; null: there is none. */
async function scheduled(call: ViewCall, id: string): Promise<string | null> {
  const date = parseLocalDate(id.slice(0, 10));
  if (date === null) return null;
  const { answer } = await call.attempt('/calendar', calendarDays, { query: { from: date, to: date } });
  const runs = answer?.days.flatMap((day) => day.runs) ?? [];
  return runs.find((run) => run.id.replace('/', '-') === id.replace('/', '-'))?.at ?? null;
}
