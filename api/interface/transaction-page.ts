import type * as Type from 'typebox';
import type { PagesBeside } from '../../engine/consents/list-transactions.ts';
import type { ListPlace, ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { exampleOf, storyDays } from '../bodies/examples.ts';
import { closed, listOf, optional } from '../bodies/schema.ts';
import { link } from '../pipeline/endpoint.ts';
import { maxLimit } from './accounts/account-request.ts';
import { links } from './answer-parts.ts';

/** A page of a list of transactions. It is null if bookingStatus excludes these. */
interface TransactionPage<Transaction> extends PagesBeside {
  readonly query: ReportQuery;
  readonly place: ListPlace;
  readonly booked: readonly Transaction[] | null;
  readonly pending: readonly Transaction[] | null;
}

/** Schema of a page of transactions, of an account or a card. `path`: of the list in the example. */
export function transactionPageAnswer<Booked extends Type.TSchema, Pending extends Type.TSchema>(
  path: string,
  booked: Booked,
  pending: Pending,
) {
  const query = `bookingStatus=both&dateFrom=${storyDays.openSince}&offset=0&limit=200`;
  return closed(
    {
      booked: optional(listOf(booked, 'The newest first.', { maxItems: maxLimit })),
      pending: optional(listOf(pending, 'All that are pending.')),
      _links: links(`${path}?${query}`, ['self'], ['next', 'previous']),
    },
    {
      description: 'One page; a list that bookingStatus excludes is left out.',
      examples: [{ booked: [exampleOf(booked)], pending: [] }],
    },
  );
}

/** A page as JSON, with links to the pages beside it. `path`: of the list. */
export function transactionPage<Transaction, Booked, Pending>(
  path: string,
  page: TransactionPage<Transaction>,
  formatBooked: (transaction: Transaction) => Booked,
  formatPending: (transaction: Transaction) => Pending,
) {
  const { booked, pending } = page;
  return {
    ...(booked !== null && { booked: booked.map(formatBooked) }),
    ...(pending !== null && { pending: pending.map(formatPending) }),
    _links: pageLinks(path, page),
  };
}

/** Links to this page and the ones next to it (real-api-facts.md 9.3: `next` and `previous`; rules.md A9c). */
function pageLinks(path: string, { query, place, next, previous }: TransactionPage<unknown>) {
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
