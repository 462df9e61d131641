import type { Quirk, Quirks } from '../../bank/rules/quirk.ts';
import { type BankingCalendar, nextOrSame } from '../../time/rules/banking-calendar.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import { type Instant, osloDate, startOfDay } from '../../values/instant.ts';
import { type LocalDate, monthDay, monthOf, yearOf } from '../../values/local-date.ts';

/** A posting whose dates are asked for. */
export interface Undated {
  readonly isFee: boolean;
  /** Whether both accounts are of this bank. */
  readonly isInside: boolean;
  readonly executionDate: LocalDate;
  /** The value date of some foreign payments (rules.md T4d). Null means the execution date. */
  readonly valueDate: LocalDate | null;
  /** It is null if no quirk asks for them, see {@link asksForDays}, or the payment is foreign. */
  readonly asked: AskedDays | null;
}

/**
 * The day for which a transfer was wanted, nominal or requested or else that of its initiation, and the day on which it
 * was signed.
 */
export interface AskedDays {
  readonly wanted: LocalDate;
  readonly signed: LocalDate;
}

/** What the dates of all postings of a run depend on. */
export interface DatingTerms {
  readonly quirks: Pick<Quirks, 'has' | 'get'>;
  readonly calendar: BankingCalendar;
  /** Whether a run posts; else it settles at once (rules.md P10). */
  readonly isRun: boolean;
  readonly postedAt: Instant;
  /** The first run after the posting. */
  readonly next: Pick<SettlementRun, 'date' | 'at'>;
}

/** When a posting is booked. */
interface BookingMoment {
  readonly bookingDate: LocalDate;
  /** The posting is pending before this instant. */
  readonly bookedAt: Instant;
}

/** The value and the booking date of a posting. */
export interface PostingDates extends BookingMoment {
  readonly valueDate: LocalDate;
}

type Habit = (dates: PostingDates, posting: Undated, terms: DatingTerms) => PostingDates;

/** The quirks that move a date of a posting (rules.md D3c, S6b). */
const habits: readonly (readonly [Quirk, Habit])[] = [
  ['month-end-bookings', monthEndBooking],
  ['weekend-values', weekendValue],
  ['value-date', dayOfRun],
];

/**
 * The value and the booking date of a posting: the execution date, or that of its foreign payment, and the date of the
 * next run (rules.md S6, T4d), moved by the quirks that are on.
 */
export function datesOf(posting: Undated, terms: DatingTerms): PostingDates {
  let dates: PostingDates = { ...bookingIn(terms.next), valueDate: posting.valueDate ?? posting.executionDate };
  for (const [quirk, move] of habits) if (terms.quirks.has(quirk)) dates = move(dates, posting, terms);
  return dates;
}

/** Whether dates depend on {@link AskedDays}, which then must be read. */
export function asksForDays(quirks: Pick<Quirks, 'has' | 'get'>): boolean {
  return quirks.has('weekend-values') || quirks.get('value-date') === 'transfer-day';
}

/** Whether a run books what it settles itself, as no run comes on its day any more (rules.md S6b). */
export function booksItself({ quirks, isRun, postedAt, next }: DatingTerms): boolean {
  return isRun && quirks.get('value-date') === 'run-day-booked' && next.date > osloDate(postedAt);
}

/** The next run books what is posted (rules.md S6). */
export function bookingIn({ date, at }: DatingTerms['next']): BookingMoment {
  return { bookingDate: date, bookedAt: at };
}

/** A fee is booked in the month in which it is posted: on its last calendar day if the next run is in another month. */
function monthEndBooking(dates: PostingDates, { isFee }: Undated, { postedAt, next }: DatingTerms): PostingDates {
  const today = osloDate(postedAt);
  const lastDay = monthDay(yearOf(today), monthOf(today), 31);
  if (!isFee || next.date <= lastDay) return dates;
  return { ...dates, bookingDate: lastDay, bookedAt: Math.max(postedAt, startOfDay(lastDay)) as Instant };
}

/**
 * The value date is the closed day for which the transfer was wanted, or on which it was signed later; the execution
 * date if no closed days moved it to the following banking day.
 */
function weekendValue(dates: PostingDates, { executionDate, asked }: Undated, { calendar }: DatingTerms): PostingDates {
  if (asked === null) return dates;
  const from = laterOf(asked);
  return nextOrSame(from, calendar) === executionDate ? { ...dates, valueDate: from } : dates;
}

/**
 * The last run of a day books what it settles on its day; a transfer inside the bank is valued on the day on which it
 * was made, if that is before its run.
 */
function dayOfRun(dates: PostingDates, { isInside, executionDate, asked }: Undated, terms: DatingTerms): PostingDates {
  const { quirks, postedAt } = terms;
  if (booksItself(terms)) return { ...dates, bookingDate: osloDate(postedAt), bookedAt: postedAt };
  if (quirks.get('value-date') !== 'transfer-day' || !isInside || asked === null) return dates;
  const made = laterOf(asked);
  return made < executionDate ? { ...dates, valueDate: made } : dates;
}

function laterOf({ wanted, signed }: AskedDays): LocalDate {
  return wanted > signed ? wanted : signed;
}
