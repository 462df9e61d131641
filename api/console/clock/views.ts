import { forecastAnswer } from '../../control/clock/forecast.ts';
import { clock } from '../../control/answers.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { actionForm } from '../parts/forms.ts';
import { empty, table } from '../parts/lists.ts';
import { accountLink, counted, instantText, money, outcome, paymentLink } from '../parts/text.ts';
import { problemBox } from '../parts/problem.ts';
import { advance } from './actions.ts';

/** What will happen until a moment, and the button that moves the clock there. */
const preview: ConsoleView = {
  path: '/clock',
  nav: 'Clock',
  live: ['clock', 'payment', 'run', 'reset'],
  show: async (call) => {
    const { nextRun } = await call.ask('/clock', clock);
    const to = call.query.get('to') ?? nextRun.at;
    const { answer, problem } = await call.attempt('/forecast', forecastAnswer, { query: { to } });
    if (answer === null) return { title: 'Move the clock', content: problemBox(problem) };
    const { executions } = answer;
    return {
      title: `To ${instantText(answer.to)}`,
      content: html`${actionForm(call, advance, { fields: [{ name: 'to', label: 'To', type: 'hidden', value: answer.to }], button: 'Move the clock', tone: 'main' })}
        <h2>What will happen</h2>
        ${
          executions.length === 0
            ? empty('No payment is due until then.')
            : table({
                caption: `${counted(executions.length, 'attempt')} of settlement runs, if nothing else happens`,
                columns: [
                  'Run',
                  'Payment',
                  'Account',
                  { head: 'Needed', isNumber: true },
                  { head: 'Available', isNumber: true },
                  'Outcome',
                  'Why',
                ],
                rows: executions.map((each) => [
                  instantText(each.run.at),
                  paymentLink(call, each.paymentId),
                  accountLink(call, each.account),
                  money(each.needed),
                  money(each.available),
                  outcome(each.outcome),
                  each.reason,
                ]),
              })
        }`,
    };
  },
};

export const clockViews = [preview];
