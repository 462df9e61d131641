import { openSince } from '../../parties/rules/access.ts';
import type { Fault } from '../../values/fault.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

export type BookingStatus = 'booked' | 'pending' | 'both';

/** Query parameters for an account's transactions (real-api-facts.md 9.3). Dates are booking dates, both inclusive. */
export interface ReportQuery {
  /** Null: both. */
  readonly bookingStatus: BookingStatus | null;
  /** Null: as far back as can be read without a session (90 days). */
  readonly dateFrom: LocalDate | null;
  /** Null: today. */
  readonly dateTo: LocalDate | null;
  /** Null: 0. */
  readonly offset: number | null;
  readonly limit: number;
  /** Continues a list; null: begins one (rules.md A9c). */
  readonly cursor: string | null;
}

/** Booking dates, both inclusive. */
export interface ReportPeriod {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/**
 * The period of a report with its defaults filled in. When it ends before it begins: PARAMETER_NOT_CONSISTENT for two dates
 * that were sent, PERIOD_INVALID for one that is out of bounds (rules.md A9b).
 */
export function reportPeriod(
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
