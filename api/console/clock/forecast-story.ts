import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, foreign, moment, money, payeeLink, tag } from '../parts/text.ts';

type Forecast = AnswerTo<'GET /forecast'>;
type Execution = Forecast['executions'][number];
type Outcome = Execution['outcome'];

/** Maximum number of attempts shown of an outcome; the rest are counted. */
const maxShown = 100;

/** In this order: what will fail stands first. */
const outcomes = [
  { outcome: 'reject', tone: 'bad', word: 'rejected', one: 'is rejected', many: 'are rejected' },
  {
    outcome: 'retry',
    tone: 'warns',
    word: 'short of funds',
    one: 'is short of funds and tried again',
    many: 'are short of funds and tried again',
  },
  { outcome: 'settle', tone: 'good', word: 'settles', one: 'settles', many: 'settle' },
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

/** Attempts, and incomes and bills of lives, in order of time; nothing without a life. */
export function dayByDay(call: PageCall, { executions, planned }: Pick<Forecast, 'executions' | 'planned'>): HtmlValue {
  if (planned.length === 0) return null;
  const rows = [
    ...planned.map(({ at, account, amount, event }) => ({ at, account, amount, what: foreign(event), outcome: '' })),
    ...executions.map((each) => ({
      ...{ at: each.run.at, account: each.account, what: payeeLink(call, each), outcome: outcomeTag(each.outcome) },
      amount: { ...each.needed, amount: `-${each.needed.amount}` },
    })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const shown = rows.slice(0, maxShown);
  const rest = rows.length - shown.length;
  return html`<h3>Day by day</h3>
    ${table('Incomes and bills of lives, and attempts, in order of time', shown, [
      ['When', ({ at }) => moment(call, at)],
      ['What', ({ what }) => what, 'text'],
      ['Amount', ({ amount }) => money(amount), 'figures'],
      ['Account', ({ account }) => accountLink(call, account)],
      ['Outcome', ({ outcome }) => outcome],
    ])}
    ${rest > 0 && html`<p>And ${rest} more, which the line for curl shows.</p>`}`;
}

function outcomeTag(outcome: Outcome): Html {
  const { tone, word } = outcomes.find((each) => each.outcome === outcome) ?? outcomes[0];
  return tag(tone, word);
}
