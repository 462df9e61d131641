import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { clock } from '../../control/answers.ts';
import { runList } from '../../control/runs.ts';
import { paymentList } from '../../control/payments/list-payments.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { empty, table } from '../parts/lists.ts';
import { runLink } from '../parts/text.ts';
import { noPayments, paymentTable } from '../payments/views.ts';

/** How many of each the first page shows. */
const latest = 8;
/** Runs before that are not looked for. */
const daysBack = 31;

/** The first page: the latest payments and runs. */
export const overviewView: ConsoleView = {
  path: '',
  nav: 'Overview',
  live: ['payment', 'run', 'clock', 'reset'],
  show: async (call) => {
    const { payments, total } = await call.ask('/payments', paymentList, { query: { limit: String(latest) } });
    const { date: today } = await call.ask('/clock', clock);
    const { runs } = await call.ask('/runs', runList, { query: { from: addDays(localDate(today), -daysBack) } });
    return {
      title: 'Overview',
      content: html`<h2>Latest payments</h2>
        ${
          payments.length === 0
            ? noPayments(call, 'No payment has been initiated yet.')
            : html`${paymentTable(call, payments, 'The latest payments, the newest first')}
                <p>
                  <a href="${call.to('/payments')}">${total === 1 ? 'The one payment' : `All ${total} payments`}</a>
                </p>`
        }
        <h2>Latest settlement runs</h2>
        ${
          runs.length === 0
            ? empty('No run has processed a payment. A signed payment settles in the next run.')
            : table('The latest runs that processed something', runs.slice(0, latest), [
                ['Run', (run) => runLink(call, run)],
                ['Settled', ({ settled }) => settled, 'figures'],
                ['Short of funds', ({ retried }) => retried, 'figures'],
                ['Rejected', ({ rejected }) => rejected, 'figures'],
                ['Booked', ({ booked }) => booked, 'figures'],
              ])
        }`,
    };
  },
};
