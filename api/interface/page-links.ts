import type { ReportQuery } from '../../engine/accounts/rules/transaction-report.ts';
import { link, type Link } from '../pipeline/links.ts';

interface PageLinks {
  readonly self: Link;
  readonly next?: Link;
  readonly previous?: Link;
}

/** Links to this page and the ones next to it, which never overlap (real-api-facts.md 9.3: `next` and `previous`). */
export function pageLinks(path: string, query: ReportQuery, hasNext: boolean): PageLinks {
  const { offset, limit } = query;
  const at = (start: number, count = limit) =>
    link(`${path}?${queryText({ ...query, offset: start, limit: count })}`, 'GET');
  return {
    self: at(offset),
    ...(hasNext && { next: at(offset + limit) }),
    ...(offset > 0 && { previous: at(Math.max(0, offset - limit), Math.min(offset, limit)) }),
  };
}

/** Names dateFrom even if the request did not, so that later pages show the same list after midnight. */
function queryText({ bookingStatus, dateFrom, dateTo, offset, limit }: ReportQuery): string {
  const dates = `${dateFrom === null ? '' : `&dateFrom=${dateFrom}`}${dateTo === null ? '' : `&dateTo=${dateTo}`}`;
  return `bookingStatus=${bookingStatus}${dates}&offset=${offset}&limit=${limit}`;
}
