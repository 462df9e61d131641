import { html, type Html, type HtmlValue, withoutMarkup } from '../../pages/html.ts';
import { refusedAt } from '../../pipeline/problem.ts';
import type { PageCall } from '../page-call.ts';
import { headed } from './blocks.ts';
import { type AnswerColumn, type Cells, cellOf } from '../../openapi/columns.ts';
import { accountLink, paymentLink, runLink } from './links.ts';
import { foreign, itemWords, money, named, outcomeTag, status } from './text.ts';
import { day, moment } from './times.ts';

/**
 * A column of a table: its head, and the cell of each row. Figures stand at the right. A text, such as a name or a
 * reason, may need several lines. A wide screen clips a line, so that a list shows many rows at once.
 */
export type Column<Row> = readonly [head: string, cell: (row: Row) => HtmlValue, kind?: 'figures' | 'text' | 'line'];

/**
 * A table. `caption` says what the rows are, for screen readers too. On a wide screen a row is one line, if its texts
 * have room there. On a narrow screen a row is a block, each cell with the head of its column. A column without content
 * is left out.
 */
export function table<Row>(caption: string, rows: readonly Row[], all: readonly Column<Row>[]): Html {
  const isEmpty = ([, cell]: Column<Row>): boolean => rows.every((row) => html`${cell(row)}`.text.trim() === '');
  const columns = rows.length === 0 ? all : all.filter((column) => !isEmpty(column));
  const classOf = (kind: Column<Row>[2]): Html | false => kind !== undefined && html` class="${kind}"`;
  const cellOf = (row: Row, [head, cell, kind]: Column<Row>): Html => {
    const shown = html`${cell(row)}`;
    return html`<td data-head="${head}" ${classOf(kind)}>
      <div ${kind === 'line' && html`title="${withoutMarkup(shown)}"`}>${shown}</div>
    </td>`;
  };
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(([head, , kind]) => html`<th scope="col" ${classOf(kind)}>${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map((column) => cellOf(row, column))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A {@link table} below a heading; nothing without rows. */
export function headedTable<Row>(heading: string, ...of: Parameters<typeof table<Row>>): Html | null {
  return headed(heading, of[1].length > 0 && table(...of));
}

/** Rows of a page. */
export const rowsOfPage = 50;

interface Pages {
  /** Rows of a page, by default {@link rowsOfPage}. */
  readonly limit?: number;
  /** What the links to the rows before and after are called. */
  readonly words?: readonly [before: string, after: string];
  /**
   * The parameter that says how many rows come before the page, by default `offset`. Lists of one page have their own.
   */
  readonly parameter?: string;
  /** What stands in place of a list without rows. */
  readonly none?: HtmlValue;
}

/**
 * A page of a list that the control plane answers as a whole: what `show` makes of the rows that its parameter asks
 * for, and links to those before and after.
 */
export function paged<Row>(
  call: PageCall,
  all: readonly Row[],
  show: (rows: readonly Row[]) => HtmlValue,
  pages: Pages,
): Html {
  const { limit = rowsOfPage, none = null, parameter } = pages;
  const offset = offsetIn(call, parameter);
  if (offset === null) throw refusedAt('offset', 'offset is no number: expected a whole number, 0 or more.');
  return html`${all.length === 0 ? none : show(all.slice(offset, offset + limit))} ${pager(call, all.length, pages)}`;
}

/** A page of a list as a {@link table}. */
export function pagedTable<Row>(
  call: PageCall,
  { caption, rows, ...pages }: Pages & { readonly caption: string; readonly rows: readonly Row[] },
  columns: readonly Column<Row>[],
): Html {
  return paged(call, rows, (some) => table(caption, some, columns), { none: table(caption, [], columns), ...pages });
}

/** The numbers of the rows on this page, and links to the pages before and after. Null if one page has all rows. */
export function pager(
  call: PageCall,
  total: number,
  { limit = rowsOfPage, words, parameter = 'offset' }: Pages = {},
): Html | null {
  const offset = offsetIn(call, parameter) ?? 0;
  if (total === 0 || (offset === 0 && total <= limit)) return null;
  const [before, after] = words ?? ['Newer', 'Older'];
  const page = (first: number, text: string, rel: string): Html => {
    const query = {
      ...Object.fromEntries(new URLSearchParams(call.here.slice(call.path.length))),
      [parameter]: first === 0 ? undefined : String(first),
    };
    return html`<a class="button" rel="${rel}" href="${call.to(call.path, { query })}">${text}</a>`;
  };
  const last = Math.min(offset + limit, total);
  return html`<nav class="pager" aria-label="Pages">
    <p>${offset + 1} to ${last} of ${total}</p>
    ${offset > 0 && page(Math.max(0, offset - limit), before, 'prev')}
    ${last < total && page(offset + limit, after, 'next')}
  </nav>`;
}

/** How many rows the page leaves out first, or null if the parameter is no number. */
function offsetIn({ query }: PageCall, parameter = 'offset'): number | null {
  const text = query.get(parameter) ?? '0';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/**
 * The columns of an answer as those of a table. `own`: the cells of these heads, where a page shows more than the
 * answer's column does.
 */
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
    account: ({ number, name }) => accountLink(call, number, name === null ? undefined : foreign(name)),
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
