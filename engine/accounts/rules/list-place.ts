import type { Fault } from '../../values/fault.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import { earliestDate, type LocalDate } from '../../values/local-date.ts';
import { reportPeriod, type BookingStatus, type ReportPeriod, type ReportQuery } from './transaction-report.ts';

/** A place between two rows of a list, the latest date first and the highest key of a date first: after this row. */
export interface RowPlace {
  readonly date: LocalDate;
  readonly key: number;
}

/** A list of transactions as its first page had it, and where one of its pages begins (rules.md A9c). */
export interface ListPlace {
  readonly bookingStatus: BookingStatus;
  readonly dateFrom: LocalDate;
  /** Null: the day of `readAt`. */
  readonly dateTo: LocalDate | null;
  /** Bank time of the first page: the list has what was booked by then. */
  readonly readAt: Instant;
  /** The highest key that a row had then; null: this is the first page. */
  readonly lastKey: number | null;
  /** How many rows the list has before this page. */
  readonly offset: number;
  /** Where the page begins; null: it is found by `offset`. */
  readonly after: { readonly booked: RowPlace; readonly pending: RowPlace } | null;
}

/** A part of a page: booked or pending rows. */
export interface Part {
  /** The place of its last row; null: it has no rows. */
  readonly last: RowPlace | null;
  readonly hasNext: boolean;
}

/**
 * The first page of the list that a query begins. `ignoresDates`: its dates say nothing (rules.md A9b), else faults of {@link reportPeriod}.
 */
export function beginList(query: ReportQuery, readAt: Instant, ignoresDates: boolean): ListPlace | Fault {
  const { bookingStatus, dateFrom, dateTo, offset } = query;
  const period = reportPeriod(ignoresDates ? { dateFrom: null, dateTo: null } : query, readAt);
  if ('code' in period) return period;
  return {
    bookingStatus: bookingStatus ?? 'both',
    dateFrom: dateFrom ?? period.from,
    dateTo,
    readAt,
    lastKey: null,
    offset: offset ?? 0,
    after: null,
  };
}

/** The booking dates of a list. */
export function periodOf({ dateFrom, dateTo, readAt }: ListPlace): ReportPeriod {
  return { from: dateFrom, to: dateTo ?? osloDate(readAt) };
}

/** Whether a list has booked, or pending, transactions. */
export function isListed({ bookingStatus }: ListPlace, status: 'booked' | 'pending'): boolean {
  return bookingStatus === status || bookingStatus === 'both';
}

/** No row comes after it. */
const end: RowPlace = { date: earliestDate, key: 0 };

/** The place of the page after one that begins at `place`; null: it was the last one. */
export function nextPlace(
  place: ListPlace,
  limit: number,
  parts: Record<'booked' | 'pending', Part>,
): ListPlace | null {
  const { booked, pending } = parts;
  if (!booked.hasNext && !pending.hasNext) return null;
  const after = ({ last, hasNext }: Part): RowPlace => (hasNext && last !== null ? last : end);
  return { ...place, offset: place.offset + limit, after: { booked: after(booked), pending: after(pending) } };
}

/**
 * The place of the page before one that begins at `place`; null: it was the first one. It is counted from the beginning of the list: after
 * a deletion before `place` the page repeats rows of the page at `place` (rules.md A9c).
 */
export function previousPlace(place: ListPlace, limit: number): ListPlace | null {
  return place.offset === 0 ? null : { ...place, offset: Math.max(0, place.offset - limit), after: null };
}

/** Whether a row comes after a place. */
export function comesAfter(row: RowPlace, place: RowPlace): boolean {
  return row.date < place.date || (row.date === place.date && row.key < place.key);
}

/** PARAMETER_NOT_CONSISTENT if what was sent beside a cursor does not fit its list; null if it does. */
export function checkBesideCursor(query: ReportQuery, place: ListPlace): Fault | null {
  const { offset } = query;
  if (offset !== null && offset !== 0) {
    const text = `offset is ${offset}, and a cursor names the place itself. Send cursor or offset.`;
    return { code: 'PARAMETER_NOT_CONSISTENT', path: 'offset', text };
  }
  for (const name of ['bookingStatus', 'dateFrom', 'dateTo'] as const) {
    const [sent, listed] = [query[name], place[name]];
    if (sent === null || sent === listed) continue;
    const text =
      `${name} is ${sent}, and the list of this cursor was begun with ${listed ?? 'none'}. ` +
      'Send the address of _links.next as it is, or leave out cursor to begin another list.';
    return { code: 'PARAMETER_NOT_CONSISTENT', path: name, text };
  }
  return null;
}
