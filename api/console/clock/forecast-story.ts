import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { forecastOn } from '../accounts/forecast-on.ts';
import type { PageCall } from '../page-call.ts';
import { type Column, pagedTable } from '../parts/tables.ts';
import { accountLink, payeeLink, runLink, toForecast } from '../parts/links.ts';
import { debit, inWords, foreign, money, outcomeTag } from '../parts/text.ts';
import { timeText } from '../../pages/format.ts';
import { moment } from '../parts/times.ts';

type Forecast = AnswerTo<'GET /forecast'>;
type Execution = Forecast['executions'][number];
type Amount = Parameters<typeof money>[0];

/** Rows on the page of an account, and on that of the forecast; those after them are on the next. */
const [maxOfAccount, maxShown] = [8, 50];

/** The tries of one payment, or of one part of it, the first one first. */
type Tries = readonly [Execution, ...Execution[]];

function triesOf(executions: readonly Execution[]): readonly Tries[] {
  const keyOf = ({ paymentId, item, nominalDate, account, payee, executionDate }: Execution): string =>
    [paymentId ?? `${account} ${payee} ${executionDate}`, item, nominalDate].join(' ');
  return [...Map.groupBy(executions, keyOf).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const],
  );
}

/** A part of a forecast: what lives do, payments from accounts, and payments to them. */
type Part = ReturnType<typeof forecastOn>;

/**
 * Payments with all their tries in one row, and what lives do, in the order of time. `ofAccount`: the page of that
 * account shows them.
 */
export function dayByDay(call: PageCall, { planned, debits, credits }: Part, ofAccount = false): Html {
  const payments = triesOf(debits);
  const caption = 'Payments with their attempts, and events of lives, in order of time';
  const lastOf = (tries: Tries): Execution => tries.at(-1) ?? tries[0];
  const rowOf = (tries: Tries, amount: Amount) => ({ at: tries[0].run.at, account: tries[0].account, amount, tries });
  // Thousands of payments may be due: cells are made of the shown rows alone.
  const rows = [
    ...planned.map((each) => ({ ...each, tries: null })),
    ...payments.map((tries) => rowOf(tries, debit(tries[0].needed))),
    ...credits.flatMap((each) => (each.credit === undefined ? [] : rowOf([each], each.credit.amount))),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const what = (row: (typeof rows)[number]): Html => {
    if (row.tries !== null) {
      const payee = payeeLink(call, lastOf(row.tries));
      const isCredit = !row.amount.amount.startsWith('-');
      return ofAccount && isCredit ? html`${payee} from ${accountLink(call, row.account)}` : payee;
    }
    const words = foreign(inWords(row.event));
    return ofAccount ? html`<a href="${toForecast(call, row.at)}">${words}</a>` : words;
  };
  return html`${pagedTable(
    call,
    { caption, rows, limit: ofAccount ? maxOfAccount : maxShown, parameter: 'each', words: ['Sooner', 'Later'] },
    [
      ['When', ({ at }) => moment(call, at, at.slice(11, 16))],
      ['What', what, 'text'],
      ['Amount', ({ amount }) => money(amount), 'figures'],
      ...(ofAccount ? [] : [['Account', ({ account }) => accountLink(call, account)] as Column<(typeof rows)[number]>]),
      ['Outcome', ({ tries }) => tries !== null && triesList(call, tries)],
      ['Why', ({ tries }) => tries !== null && foreign(lastOf(tries).reason), 'text'],
    ],
  )}`;
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
