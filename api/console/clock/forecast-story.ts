import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, eventWords, foreign, moment, money, payeeLink, runLink, tag } from '../parts/text.ts';

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

/** The tries of one payment, or of one part of it, the first one first. */
type Tries = readonly [Execution, ...Execution[]];

function triesOf(executions: readonly Execution[]): readonly Tries[] {
  const keyOf = ({ paymentId, item, nominalDate, account, payee, executionDate }: Execution): string =>
    JSON.stringify([paymentId ?? [account, payee, executionDate], item, nominalDate]);
  return [...Map.groupBy(executions, keyOf).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const],
  );
}

/** How many payments end in each outcome, failures first: `1 is rejected, 8 settle`. */
function summary(all: readonly Tries[]): Html {
  const last = all.map((tries) => tries.at(-1)?.outcome);
  const counts = outcomes.map((each) => ({
    ...each,
    count: last.filter((outcome) => outcome === each.outcome).length,
  }));
  return html`<p>
    ${counts.map(
      ({ count, tone, one, many }) => count > 0 && html`${tag(tone, count)} ${count === 1 ? one : many}&ensp;`,
    )}
  </p>`;
}

/** Payments with all their tries in one row, and what lives do, in the order of time. */
export function dayByDay(call: PageCall, { executions, planned }: Pick<Forecast, 'executions' | 'planned'>): Html {
  const payments = triesOf(executions);
  const rows = [
    ...planned.map(({ at, account, amount, event }) => {
      return { at, account, amount, what: foreign(eventWords(event)), outcome: '', why: '' };
    }),
    ...payments.map((tries) => {
      const [{ run, account, needed }] = tries;
      const last = tries.at(-1) ?? tries[0];
      const amount = { ...needed, amount: `-${needed.amount}` };
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
  const shown = rows.slice(0, maxShown);
  const rest = rows.length - shown.length;
  return html`${payments.length > 0 && summary(payments)}
  ${table('Payments with their tries, and what lives do, in order of time', shown, [
    ['When', ({ at }) => moment(call, at)],
    ['What', ({ what }) => what, 'text'],
    ['Amount', ({ amount }) => money(amount), 'figures'],
    ['Account', ({ account }) => accountLink(call, account)],
    ['Outcome', ({ outcome }) => outcome],
    ['Why', ({ why }) => why, 'long'],
  ])}
  ${rest > 0 && html`<p>And ${rest} more, which the line for curl shows.</p>`}`;
}

/** The outcome of the only try, or each try with its run. */
function triesList(call: PageCall, tries: Tries): Html {
  const [only, ...more] = tries;
  if (more.length === 0) return outcomeTag(only.outcome);
  return html`<ol class="tries">
    ${tries.map(({ outcome, run }) => html`<li>${outcomeTag(outcome)} ${runLink(call, { ...run, id: `${run.date}/${run.number}` })}</li>`)}
  </ol>`;
}

function outcomeTag(outcome: Outcome): Html {
  const { tone, word } = outcomes.find((each) => each.outcome === outcome) ?? outcomes[0];
  return tag(tone, word);
}
