import { ownProgramLine } from '../../start/program-line.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { pathTo, type Linking, type ViewCall } from '../console-view.ts';

interface Column {
  readonly head: string;
  /** Figures stand at the right. */
  readonly isNumber?: boolean;
}

interface Table {
  /** What the rows are; it is the name of the table for who does not see it. */
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  /** Cells of each row. On a narrow screen a row is a block, each cell with the head of its column. */
  readonly rows: readonly (readonly HtmlValue[])[];
}

export function table({ caption, columns, rows }: Table): Html {
  const heads = columns.map((column) => (typeof column === 'string' ? { head: column } : column));
  const alignment = (column: Column | undefined) => column?.isNumber === true && html` class="figure"`;
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads.map((column) => html`<th scope="col" ${alignment(column)}>${column.head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) => html`<td data-head="${heads[index]?.head ?? ''}" ${alignment(heads[index])}><div>${cell}</div></td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Terms with what they are. */
export function facts(rows: readonly (readonly [term: string, what: HtmlValue])[]): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([term, what]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${what}</dd>
        </div>`,
    )}
  </dl>`;
}

/** In place of a list without rows: what would be here, and the command that makes something. */
export function empty(text: HtmlValue, command: string | null = null): Html {
  return html`<div class="empty">
    <p>${text}</p>
    ${command !== null && code(command)}
  </div>`;
}

/** A command for this bank, such as `pay --amount 100`, as it can be pasted where the server was started. */
export function commandLine({ address }: Linking, command: string): string {
  return `BANK=${address} ${ownProgramLine()} ${command}`;
}

/** A line to copy, in a box that can be scrolled by keyboard. */
export function code(line: string, label = 'Command'): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${line}</code></pre>`;
}

interface Pages {
  /** The view, below `/console`. */
  readonly path: string;
  /** The parameters of the list, beside `offset`. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly offset: number;
  /** Rows of a page. */
  readonly limit: number;
  /** Rows of all pages. */
  readonly total: number;
  /** What the links to the rows before and after are called; left out: `Newer` and `Older`. */
  readonly words?: readonly [before: string, after: string];
}

/** How many rows the page leaves out first. */
export function offsetIn({ query }: ViewCall): number {
  const text = query.get('offset') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Which rows of a list are shown, and links to those before and after. Null: the list is empty. */
export function pager(call: Linking, { path, query, offset, limit, total, words }: Pages): Html | null {
  if (total === 0) return null;
  const [before, after] = words ?? ['Newer', 'Older'];
  const page = (first: number, text: string, rel: string): Html => {
    const to = pathTo(path, { query: { ...query, offset: first === 0 ? undefined : String(first) } });
    return html`<a class="button" rel="${rel}" href="${call.to(to)}">${text}</a>`;
  };
  const last = Math.min(offset + limit, total);
  return html`<nav class="pager" aria-label="Pages">
    <p>${offset + 1} to ${last} of ${total}</p>
    ${offset > 0 && page(Math.max(0, offset - limit), before, 'prev')}
    ${last < total && page(offset + limit, after, 'next')}
  </nav>`;
}
