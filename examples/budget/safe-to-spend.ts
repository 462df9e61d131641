/*
 * How much of an account can be spent until the next payday (AISP): what is available, less the bills that will come before it.
 *
 * Bills and paydays are learned from the past: what came in nearly every month comes again, a month after the last time, for the highest
 * amount of the last months.
 */
import { comesMonthly, ore, plainText, type Transaction } from './categorise.ts';

/** A bill that is to come. Øre, above zero. */
export interface ExpectedBill {
  readonly text: string;
  readonly date: string;
  readonly amount: number;
}

export interface SafeToSpend {
  /** Øre: below zero if the money will not suffice. */
  readonly amount: number;
  /** The day of the next salary or benefit. */
  readonly payday: string;
  /** What is to be paid before it. */
  readonly bills: readonly ExpectedBill[];
}

/** The same day of the month after, or its last day. */
export function monthAfter(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, last))).toISOString().slice(0, 10);
}

/** A bill may come some days later than the month before: closed days move it. */
const daysLate = 4;

function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The bills after a day, each once, the earliest first. */
export function expectedBills(past: readonly Transaction[], today: string): ExpectedBill[] {
  const monthly = comesMonthly(past);
  const known = Map.groupBy(
    past.filter((one) => ore(one) < 0 && monthly.has(plainText(one))),
    plainText,
  );
  return [...known]
    .map(([text, alike]) => {
      const dates = alike.map(({ bookingDate = '' }) => bookingDate).toSorted();
      const recent = alike.filter(({ bookingDate = '' }) => bookingDate > later(today, -100));
      const next = monthAfter(dates.at(-1) ?? today);
      return { text, date: next < today ? today : next, amount: Math.max(0, ...recent.map((one) => -ore(one))) };
    })
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

/** The next day on which a large credit comes that came in most months; a month from today if none does. */
export function nextPayday(past: readonly Transaction[], today: string): string {
  const credits = past.filter((one) => ore(one) >= 300_000 && one.bookingDate !== undefined);
  const payers = [...Map.groupBy(credits, ({ debtorName = '' }) => debtorName)].filter(([, paid]) => paid.length >= 6);
  const next = payers.map(([, paid]) =>
    monthAfter(
      paid
        .map(({ bookingDate = '' }) => bookingDate)
        .toSorted()
        .at(-1) ?? today,
    ),
  );
  return next.filter((date) => date > today).toSorted()[0] ?? monthAfter(today);
}

/**
 * What can be spent. `available` is `interimAvailable` in øre, which has reservations taken off already; `past` a year of booked
 * transactions.
 */
export function safeToSpend(available: number, past: readonly Transaction[], today: string): SafeToSpend {
  const payday = nextPayday(past, today);
  const bills = expectedBills(past, today).filter(({ date }) => date < later(payday, daysLate));
  return { amount: available - bills.reduce((sum, { amount }) => sum + amount, 0), payday, bills };
}
