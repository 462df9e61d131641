import type { PagesBeside } from '../../engine/consents/list-cursor.ts';
import type { ListPlace } from '../../engine/accounts/rules/list-place.ts';
import type { ReportQuery } from '../../engine/accounts/rules/transaction-report.ts';
import { link, type Link } from '../pipeline/endpoint.ts';

interface PageLinks {
  readonly self: Link;
  readonly next?: Link;
  readonly previous?: Link;
}

/** A page of a list of transactions. */
interface ListPage extends PagesBeside {
  readonly query: ReportQuery;
  readonly place: ListPlace;
}

/** Links to this page and the ones next to it (real-api-facts.md 9.3: `next` and `previous`; rules.md A9c). */
export function pageLinks(path: string, { query, place, next, previous }: ListPage): PageLinks {
  const { cursor, limit } = query;
  const at = (where: string, count = limit) => link(`${path}?${listText(place)}&${where}&limit=${count}`, 'GET');
  return {
    self: at(cursor === null ? `offset=${place.offset}` : `cursor=${cursor}`),
    ...(next !== null && { next: at(`cursor=${next}`) }),
    ...(previous !== null && { previous: at(`cursor=${previous}`, Math.min(place.offset, limit)) }),
  };
}

/** Names dateFrom even if the request did not, so that a list that is begun again after midnight is the same. */
function listText({ bookingStatus, dateFrom, dateTo }: ListPlace): string {
  return `bookingStatus=${bookingStatus}&dateFrom=${dateFrom}${dateTo === null ? '' : `&dateTo=${dateTo}`}`;
}
