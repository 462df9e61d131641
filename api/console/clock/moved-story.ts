import { runList, runWithAttempts } from '../../control/runs/runs.ts';
import { paymentAnswer } from '../../control/payments/payment-answer.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ViewCall } from '../console-view.ts';
import { empty } from '../parts/lists.ts';
import { counted, runLink } from '../parts/text.ts';
import { textAt } from '../payments/sent-body.ts';
import { type About, attemptTable, runSummary } from '../calendar/run-report.ts';

/** Runs whose attempts are shown, attempts of each, and payments that are read for the reason of a moved date. */
const [mostRuns, mostAttempts, mostPayments] = [12, 50, 40];

/** What the runs between two instants did, in their order. */
export async function movedStory(
  call: ViewCall,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Html> {
  const query = { from: from.slice(0, 10), to: to.slice(0, 10) };
  const { runs } = await call.ask('/runs', runList, { query });
  const between = runs
    .filter(({ at }) => Date.parse(at) > Date.parse(from) && Date.parse(at) <= Date.parse(to))
    .toReversed();
  if (between.length === 0) return empty('No run on the way had anything to do.');
  const about = new Map<string, About>();
  const stories: Html[] = [];
  for (const run of between.slice(0, mostRuns)) {
    const { attempts } = await call.ask('/runs/:runId', runWithAttempts, { params: { runId: run.id } });
    const shown = attempts.slice(0, mostAttempts);
    for (const { paymentId } of shown) {
      if (about.has(paymentId) || about.size >= mostPayments) continue;
      const { occurrences, initiation } = await call.ask('/payments/:paymentId', paymentAnswer, {
        params: { paymentId },
      });
      const own = occurrences.find(({ executionDate }) => executionDate === run.id.slice(0, 10));
      about.set(paymentId, { creditor: textAt(initiation, 'creditorName'), moved: own?.moved ?? null });
    }
    const rest = attempts.length - shown.length;
    stories.push(
      html`<h2>${runLink(call, run)}: ${runSummary(run)}</h2>
        ${shown.length > 0 && attemptTable(call, shown, about)}
        ${rest > 0 && html`<p>And ${counted(rest, 'attempt')} more, on the page of the run.</p>`}`,
    );
  }
  const rest = between.length - stories.length;
  return html`${stories} ${rest > 0 && html`<p>And ${counted(rest, 'run')} more: the calendar shows them.</p>`}`;
}
