import { Problem } from '../../pipeline/problem.ts';
import type { ViewCall } from '../console-view.ts';

/** Rows of a page. */
const limit = 50;

interface PageOf<Row> {
  readonly rows: readonly Row[];
  /** Where the page stands in the list, for a pager. */
  readonly place: { readonly offset: number; readonly limit: number; readonly total: number };
}

/** The rows that the parameter `offset` asks for, of a list that the control plane answers as a whole. */
export function pageOf<Row>(call: ViewCall, all: readonly Row[]): PageOf<Row> {
  const text = call.query.get('offset') ?? '0';
  if (!/^\d{1,9}$/.test(text)) {
    const detail = 'offset is no number: expected a whole number, 0 or more.';
    throw new Problem({ status: 400, detail, errors: [{ path: 'offset', detail }] });
  }
  const offset = Number(text);
  return { rows: all.slice(offset, offset + limit), place: { offset, limit, total: all.length } };
}
