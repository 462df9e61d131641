import { type AnswerColumn, type Cells, cellOf } from '../../openapi/columns.ts';
import { html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { accountLink, paymentLink, runLink } from './links.ts';
import type { Column } from './tables.ts';
import { day, foreign, itemWords, moment, money, named, outcomeTag, status } from './text.ts';

/** The columns of an answer as those of a table. `own`: the cells of these heads, where a page shows more than the answer's column does. */
export function shownColumns<Row>(
  call: PageCall,
  columns: readonly AnswerColumn<Row>[],
  own: Readonly<Record<string, (row: Row) => HtmlValue>> = {},
): readonly Column<Row>[] {
  const cells = cellsOf(call);
  return columns.map((column) => {
    const [head, kind, , width] = column;
    const cell = own[head] ?? ((row: Row) => cellOf(column, row, cells));
    const size = kind === 'amount' ? 'figures' : width;
    return size === undefined ? [head, cell] : [head, cell, size];
  });
}

function cellsOf(call: PageCall): { readonly [Kind in keyof Cells]: (value: Cells[Kind]) => HtmlValue } {
  return {
    text: (text) => text !== '' && foreign(text),
    amount: money,
    date: (date) => day(call, date),
    instant: (at) => moment(call, at),
    dateOfItem: ({ item, date }) => html`${item !== undefined && `${itemWords(item)}, `}${day(call, date)}`,
    account: ({ number, name }) => accountLink(call, number, name === null ? number : foreign(name)),
    owner: named,
    payment: ({ paymentId, text }) =>
      paymentId === null ? foreign(text) : paymentLink(call, paymentId, foreign(text)),
    status,
    run: ({ id, at }) => {
      if (id !== null) return runLink(call, { id, at });
      return at.length > 10 ? moment(call, at) : day(call, at);
    },
    outcome: (outcome) => outcomeTag(outcome),
  };
}
