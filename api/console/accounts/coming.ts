import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { table } from '../parts/lists.ts';
import { eventWords, foreign, moment, money, payeeLink, tag, toForecast } from '../parts/text.ts';
import { dayOfInstant, minorOf } from './balance-course.ts';

type Statement = AnswerTo<'GET /accounts/:number'>;
type Forecast = AnswerTo<'GET /forecast'>;

/** Something that happened or will happen on an account, to mark on its curve. */
export interface Mark {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  readonly words: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  /** Whether money lacks: the try fails. */
  readonly isShort: boolean;
}

/** Something that happens on an account by the forecast. */
interface Coming extends Mark {
  readonly at: string;
  /** Its words as a link. */
  readonly what: Html;
  readonly why: string;
}

/** What the forecast says of an account, in order of time: incomes, bills, payments from it and to it. */
export function comingOf(call: PageCall, { number, iban }: Statement, forecast: Forecast | null): readonly Coming[] {
  if (forecast === null) return [];
  const isOwn = (account: string | undefined): boolean => account === number || account === iban;
  const lived = forecast.planned
    .filter(({ account }) => isOwn(account))
    .map(({ at, event, amount }): Coming => {
      const to = toForecast(call, at);
      const words = eventWords(event);
      return {
        at,
        day: dayOfInstant(at),
        what: html`<a href="${to}">${foreign(words)}</a>`,
        words,
        amount,
        isShort: false,
        why: '',
      };
    });
  const paid = forecast.executions.flatMap((each): Coming[] => {
    const { run, account, needed, outcome, reason, credit, payee } = each;
    const common = { at: run.at, day: dayOfInstant(run.at), what: payeeLink(call, each) };
    const debit = { ...needed, amount: `-${needed.amount}` };
    return [
      ...(isOwn(account)
        ? [{ ...common, words: `to ${payee}`, amount: debit, isShort: outcome !== 'settle', why: reason }]
        : []),
      ...(credit !== undefined && isOwn(credit.account)
        ? [{ ...common, words: 'a payment to this account', amount: credit.amount, isShort: false, why: '' }]
        : []),
    ];
  });
  return [...lived, ...paid].toSorted((one, other) => one.day - other.day);
}

/** Maximum number of rows. */
const maxRows = 20;

/** What is to come on the account: each mark of its curve with the page that says why. Nothing if nothing is. */
export function comingTable(call: PageCall, coming: readonly Coming[]): HtmlValue {
  if (coming.length === 0) return null;
  const rest = coming.length - maxRows;
  return html`<h2>To come</h2>
    ${table('By the forecast, if nothing else happens', coming.slice(0, maxRows), [
      ['When', ({ at }) => moment(call, at)],
      ['What', ({ what }) => what, 'text'],
      ['Amount', ({ amount }) => money(amount), 'figures'],
      ['Outcome', ({ isShort }) => isShort && tag('warns', 'short of funds')],
      ['Why', ({ why }) => foreign(why), 'long'],
    ])}
    ${
      rest > 0 &&
      html`<p>
        <a href="${toForecast(call, coming.at(-1)?.at)}">And ${rest} more: the forecast</a>
      </p>`
    }`;
}

/** Whether an event lowers what is available. */
export function isDip({ amount }: Pick<Mark, 'amount'>): boolean {
  return minorOf(amount) < 0n;
}
