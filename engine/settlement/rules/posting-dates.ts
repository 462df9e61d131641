import { type BankingCalendar, nextOrSame } from '../../time/rules/banking-calendar.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import { type Instant, osloDate, startOfDay } from '../../values/instant.ts';
import { type LocalDate, monthDay, monthOf, yearOf } from '../../values/local-date.ts';

/** When a posting is booked. */
export interface Booking {
  readonly bookingDate: LocalDate;
  /** The posting is pending before this instant. */
  readonly bookedAt: Instant;
}

/** The next run books what is posted (rules.md S6). */
export function bookingIn({ date, at }: SettlementRun): Booking {
  return { bookingDate: date, bookedAt: at };
}

/**
 * Under month-end-bookings a fee is booked in the month in which it is posted: on its last calendar day if the next run is in another month
 * (rules.md D3c).
 */
export function monthEndBooking(postedAt: Instant, next: SettlementRun): Booking {
  const today = osloDate(postedAt);
  const lastDay = monthDay(yearOf(today), monthOf(today), 31);
  if (next.date <= lastDay) return bookingIn(next);
  return { bookingDate: lastDay, bookedAt: Math.max(postedAt, startOfDay(lastDay)) as Instant };
}

/** What a value date on a closed day depends on. */
interface WantedTransfer {
  /** The day asked for: a nominal date, or a requested one. */
  readonly wanted: LocalDate;
  readonly signed: LocalDate;
  readonly executionDate: LocalDate;
}

/**
 * Under weekend-values the value date is the closed day for which the transfer was wanted, or on which it was signed later; the execution
 * date if no closed days moved it to the following banking day (rules.md D3c).
 */
export function weekendValue({ wanted, signed, executionDate }: WantedTransfer, calendar: BankingCalendar): LocalDate {
  const from = wanted > signed ? wanted : signed;
  return from < executionDate && nextOrSame(from, calendar) === executionDate ? from : executionDate;
}
