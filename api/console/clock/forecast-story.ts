import type { Static } from '../../bodies/schema.ts';
import type { forecastAnswer } from '../../control/clock/forecast-answer.ts';
import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, instant, money, outcome, paymentLink } from '../parts/text.ts';

type Execution = Static<typeof forecastAnswer>['executions'][number];

/** Maximum number of attempts shown; the rest are counted. */
const maxShown = 100;

/** What runs will do, run by run, and why. */
export function forecastStory(call: PageCall, executions: readonly Execution[]): Html {
  const shown = executions.slice(0, maxShown);
  const runs = [...Map.groupBy(shown, ({ run }) => run.at)].map(
    ([at, attempts]) =>
      html`<h3>${instant(at)}: ${summaryOf(attempts)}</h3>
        ${table(`${counted(attempts.length, 'attempt')} of this run`, attempts, [
          [
            'Payment',
            ({ paymentId, item }) => html`${paymentLink(call, paymentId)}${item !== undefined && html` ${item}`}`,
          ],
          ['Account', ({ account }) => accountLink(call, account)],
          ['Needed', ({ needed }) => money(needed), 'figures'],
          ['Available', ({ available }) => money(available), 'figures'],
          ['Outcome', (each) => outcome(each.outcome)],
          ['Why', ({ reason }) => reason],
        ])}`,
  );
  const rest = executions.length - shown.length;
  return html`${runs} ${rest > 0 && html`<p>And ${counted(rest, 'attempt')} more, which the line for curl shows.</p>`}`;
}

/** `2 settle, 1 is short of funds`. */
function summaryOf(attempts: readonly Pick<Execution, 'outcome'>[]): string {
  const count = (wanted: Execution['outcome']): number => attempts.filter((each) => each.outcome === wanted).length;
  const [settle, retry, reject] = [count('settle'), count('retry'), count('reject')];
  const parts = [
    settle > 0 && (settle === 1 ? '1 settles' : `${settle} settle`),
    retry > 0 && (retry === 1 ? '1 is short of funds' : `${retry} are short of funds`),
    reject > 0 && (reject === 1 ? '1 is rejected' : `${reject} are rejected`),
  ];
  return parts.filter(Boolean).join(', ');
}
