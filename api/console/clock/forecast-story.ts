import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import {
  accountLink,
  counted,
  eventWords,
  foreign,
  moment,
  money,
  outcomes,
  outcomeTag,
  payeeLink,
  runLink,
  tag,
  timeText,
} from '../parts/text.ts';

type Forecast = AnswerTo<'GET /forecast'>;
type Execution = Forecast['executions'][number];

/** Maximum number of rows; the rest are counted. */
const maxShown = 100;

/** The tries of one payment, or of one part of it, the first one first. */
type Tries = readonly [Execution, ...Execution[]];

function triesOf(executions: readonly Execution[]): readonly Tries[] {
  const keyOf = ({ paymentId, item, nominalDate, account, payee, executionDate }: Execution): string =>
    JSON.stringify([paymentId ?? [account, payee, executionDate], item, nominalDate]);
  return [...Map.groupBy(executions, keyOf).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const],
  );
}

/** How many payments have each outcome, failures first: `1 is rejected 8 settle`. */
export function outcomeCounts(all: readonly Pick<Execution, 'outcome'>[]): Html {
  return html`<p>
    ${Object.entries(outcomes).map(([outcome, [tone, , one, many]]) => {
      const count = all.filter((each) => each.outcome === outcome).length;
      return count > 0 && html`${tag(tone, count)} ${count === 1 ? one : many}&ensp;`;
    })}
  </p>`;
}

/** Payments with all their tries in one row, and what lives do, in the order of time. */
export function dayByDay(call: PageCall, { executions, planned }: Pick<Forecast, 'executions' | 'planned'>): Html {
  const payments = triesOf(executions);
  const lastOf = (tries: Tries): Execution => tries.at(-1) ?? tries[0];
  const rows = [
    ...planned.map(({ at, account, amount, event }) => {
      return { at, account, amount, what: foreign(eventWords(event)), outcome: '', why: '' };
    }),
    ...payments.map((tries) => {
      const [{ run, account, needed }] = tries;
      const amount = { ...needed, amount: `-${needed.amount}` };
      const last = lastOf(tries);
      return {
        at: run.at,
        account,
        amount,
        what: payeeLink(call, last),
        outcome: triesList(call, tries),
        why: foreign(last.reason),
      };
    }),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const rest = rows.length - maxShown;
  return html`${payments.length > 0 && outcomeCounts(payments.map(lastOf))}
  ${table('Payments with their tries, and what lives do, in order of time', rows.slice(0, maxShown), [
    ['When', ({ at }) => moment(call, at, at.slice(11, 16))],
    ['What', ({ what }) => what, 'full'],
    ['Amount', ({ amount }) => money(amount), 'figures'],
    ['Account', ({ account }) => accountLink(call, account)],
    ['Outcome', ({ outcome }) => outcome],
    ['Why', ({ why }) => why, 'full'],
  ])}
  ${rest > 0 && html`<p>And ${counted(rest, 'row')} more, which the line for curl shows.</p>`}`;
}

/** The outcome of the only try, or each try with its run; a run of the first day by its time. */
function triesList(call: PageCall, tries: Tries): HtmlValue {
  const [first, ...more] = tries;
  if (more.length === 0) return outcomeTag(first.outcome, false);
  return html`<ol class="tries">
    ${tries.map(({ outcome, run }) => {
      const text = run.date === first.run.date ? timeText(run.at) : moment(call, run.at);
      return html`<li>
        ${outcomeTag(outcome, false)} ${runLink(call, { ...run, id: `${run.date}/${run.number}` }, text)}
      </li>`;
    })}
  </ol>`;
}
