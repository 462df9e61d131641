import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, foreign, moment, money, payeeLink, tag } from '../parts/text.ts';

type Execution = AnswerTo<'GET /forecast'>['executions'][number];
type Outcome = Execution['outcome'];

/** Maximum number of attempts shown of an outcome; the rest are counted. */
const maxShown = 100;

/** In this order: what will fail stands first. */
const outcomes = [
  { outcome: 'reject', tone: 'bad', one: 'is rejected', many: 'are rejected' },
  {
    outcome: 'retry',
    tone: 'warns',
    one: 'is short of funds and tried again',
    many: 'are short of funds and tried again',
  },
  { outcome: 'settle', tone: 'good', one: 'settles', many: 'settle' },
] as const satisfies readonly { readonly outcome: Outcome; readonly [part: string]: string }[];

/** What runs will do, by outcome, failures first, and why. */
export function forecastStory(call: PageCall, executions: readonly Execution[]): Html {
  const groups = Map.groupBy(executions, ({ outcome }) => outcome);
  return html`${outcomes.map(({ outcome, tone, one, many }) => {
    const all = groups.get(outcome) ?? [];
    if (all.length === 0) return null;
    const shown = all.slice(0, maxShown);
    const rest = all.length - shown.length;
    return html`<h3>${tag(tone, all.length)} ${all.length === 1 ? one : many}</h3>
      ${table(`${counted(all.length, 'attempt')}, by run`, shown, [
        ['Payee', (each) => payeeLink(call, each), 'text'],
        ['Why', ({ reason }) => foreign(reason), 'long'],
        ['Needed', ({ needed }) => money(needed), 'figures'],
        ['Available', ({ available }) => money(available), 'figures'],
        ['From', ({ account }) => accountLink(call, account)],
        ['Run', ({ run }) => moment(call, run.at)],
      ])}
      ${rest > 0 && html`<p>And ${counted(rest, 'attempt')} more, which the line for curl shows.</p>`}`;
  })}`;
}
