import { openSince } from '../../parties/rules/access.ts';
import { type Fault, Refusal } from '../../values/fault.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import { type LocalDate, earliestDate } from '../../values/local-date.ts';
import { clip } from '../../values/text.ts';

type BookingStatus = 'booked' | 'pending' | 'both';

/** Query parameters for an account's transactions (real-api-facts.md 9.3). Dates are booking dates, both inclusive. */
export interface ReportQuery {
  /** Null means both. */
  readonly bookingStatus: BookingStatus | null;
  /** Null means as far back as can be read without a session (90 days). */
  readonly dateFrom: LocalDate | null;
  /** Null means today. */
  readonly dateTo: LocalDate | null;
  /** Null means 0. */
  readonly offset: number | null;
  readonly limit: number;
  /** Where a list goes on, so that later bookings shift nothing (rules.md A9c). Null begins a list. */
  readonly cursor: string | null;
}

/** Booking dates, both inclusive. */
interface ReportPeriod {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/**
 * The period of a report with its defaults filled in. When it ends before it begins: PARAMETER_NOT_CONSISTENT for two
 * dates that were sent, PERIOD_INVALID for one that is out of bounds (rules.md A9b).
 */
function reportPeriod(
  { dateFrom, dateTo }: Pick<ReportQuery, 'dateFrom' | 'dateTo'>,
  now: Instant,
): ReportPeriod | Fault {
  const from = dateFrom ?? openSince(now);
  const to = dateTo ?? osloDate(now);
  if (from <= to) return { from, to };
  if (dateFrom !== null && dateTo !== null) {
    const text = `dateFrom ${dateFrom} is after dateTo ${dateTo}. Send the earlier date as dateFrom.`;
    return { code: 'PARAMETER_NOT_CONSISTENT', path: 'dateFrom', text };
  }
  const text =
    `The period ends on ${to}${dateTo === null ? " (today, the bank's date)" : ''} and begins after that, on ` +
    `${from}${dateFrom === null ? ' (90 days ago, as dateFrom was left out)' : ''}. Send a dateFrom that is not after dateTo.`;
  return { code: 'PERIOD_INVALID', path: 'dateFrom', text };
}

/**
 * The row after which a page begins. A list has the latest date first, and the highest key of a date first; see {@link
 * ListPlace.order}.
 */
export interface RowPlace {
  readonly date: LocalDate;
  readonly key: number;
}

/** A list of transactions as its first page had it, and where one of its pages begins (rules.md A9c). */
export interface ListPlace {
  readonly bookingStatus: BookingStatus;
  readonly dateFrom: LocalDate;
  /** Null means the day of `readAt`. */
  readonly dateTo: LocalDate | null;
  /** Bank time of the first page: the list has what was booked by then. */
  readonly readAt: Instant;
  /** The highest key that a row had then. Null on the first page. */
  readonly lastKey: number | null;
  /** The list has the highest key first, whatever its date (rules.md Q5). By default the latest date is first. */
  readonly order?: 'posting';
  /** How many rows the list has before this page. */
  readonly offset: number;
  /** Where the page begins. Null means `offset` rows after the beginning. */
  readonly after: { readonly booked: RowPlace; readonly pending: RowPlace } | null;
}

/** A part of a page: booked or pending rows. */
export interface Part {
  readonly last: RowPlace | null;
  readonly hasNext: boolean;
}

/** How the bank begins a list. */
export interface ListQuirks {
  /** Dates beside a list of pending transactions have no effect, and are not judged (rules.md A9b). */
  readonly ignoresDates: boolean;
  /** Some banks list what was posted last first, whatever its booking date (rules.md Q5h). */
  readonly isByPosting: boolean;
}

/** The first page of a new list, or a fault of {@link reportPeriod}. */
export function beginList(
  query: ReportQuery,
  readAt: Instant,
  { ignoresDates, isByPosting }: ListQuirks,
): ListPlace | Fault {
  const { bookingStatus, dateFrom, dateTo, offset } = query;
  const period = reportPeriod(ignoresDates ? { dateFrom: null, dateTo: null } : query, readAt);
  if ('code' in period) return period;
  return {
    bookingStatus: bookingStatus ?? 'both',
    dateFrom: dateFrom ?? period.from,
    dateTo,
    readAt,
    lastKey: null,
    ...(isByPosting && { order: 'posting' as const }),
    offset: offset ?? 0,
    after: null,
  };
}

/** The booking dates of a list. */
export function periodOf({ dateFrom, dateTo, readAt }: ListPlace): ReportPeriod {
  return { from: dateFrom, to: dateTo ?? osloDate(readAt) };
}

/** What the page at `place` shows of the booked or the pending rows. */
export function windowOf(place: ListPlace, status: 'booked' | 'pending', limit: number) {
  const after = place.after?.[status] ?? null;
  const { lastKey, order } = place;
  const isByPosting = order === 'posting';
  return { ...periodOf(place), offset: after === null ? place.offset : 0, limit, lastKey, after, isByPosting };
}

/** Whether a list has booked, or pending, transactions. */
export function isListed({ bookingStatus }: ListPlace, status: 'booked' | 'pending'): boolean {
  return bookingStatus === status || bookingStatus === 'both';
}

/** No row comes after it. */
const end: RowPlace = { date: earliestDate, key: 0 };

/** The place of the page after the one at `place`; null after the last page. */
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
 * The place of the page before the one at `place`; null before the first page. It counts from the beginning of the
 * list: if rows before `place` were deleted, the page repeats rows of the page at `place` (rules.md A9c).
 */
export function previousPlace(place: ListPlace, limit: number): ListPlace | null {
  return place.offset === 0 ? null : { ...place, offset: Math.max(0, place.offset - limit), after: null };
}

/** Whether a row comes after a place. */
export function comesAfter(row: RowPlace, place: RowPlace): boolean {
  return row.date < place.date || (row.date === place.date && row.key < place.key);
}

/** PARAMETER_NOT_CONSISTENT if another query parameter contradicts the list of the cursor; else null. */
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

const encryptedPlace = /^enc!!([A-Za-z0-9_-]{22}==)$/;
const prefix = 'txn-';

/**
 * The transactionId of a transaction number, which is the entry's key and all entries before the last initialize
 * (rules.md D7). It looks like every other id (P2), and never changes (S6).
 */
export function transactionIdOf(transactionNumber: number): string {
  return `enc!!${base64Url(`${prefix}${String(transactionNumber).padStart(12, '0')}`)}`;
}

/** The number in an id made by {@link transactionIdOf}; null for any other text. */
export function transactionNumberIn(transactionId: string): number | null {
  const text = base64UrlDecoded(encryptedPlace.exec(transactionId)?.[1] ?? '');
  const digits = /^txn-(\d{12})$/.exec(text)?.[1];
  return digits === undefined || transactionIdOf(Number(digits)) !== transactionId ? null : Number(digits);
}

/** 16 bytes of ASCII become 22 characters and two `=`. */
function base64Url(ascii: string): string {
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_');
}

function base64UrlDecoded(base64: string): string {
  return base64 === '' ? '' : atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
}

/** The transaction number in a transactionId of a path. Not an id of this bank: RESOURCE_UNKNOWN. */
export function requireTransactionNumber(transactionId: string): number {
  const transactionNumber = transactionNumberIn(transactionId);
  if (transactionNumber === null) throw transactionUnknown(transactionId);
  return transactionNumber;
}

/** Refusal for a transaction that the account does not have, or no longer. */
export function transactionUnknown(transactionId: string): Refusal {
  const text =
    `The account has no transaction ${clip(transactionId)}. ` +
    'GET /v1/sandbox/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
