import { type BankingCalendar, nextBankingDay, isBankingDay } from '../../time/rules/banking-calendar.ts';
import { assert } from '../../values/assert.ts';
import { addDays, type LocalDate, monthOf } from '../../values/local-date.ts';
import type { CardKind } from './persona.ts';

/**
 * Weights of the days from purchase to booking, 0 to 5. Bookings are on banking days only, so that these are not the
 * shares of facts.json (Bien, bookingLagAfterPurchase): with purchases on every weekday they come to those shares.
 */
const lagWeights: Readonly<Record<CardKind, readonly number[]>> = {
  domestic: [222, 780, 102, 99, 7, 0],
  visa: [37, 800, 74, 80, 9, 0],
  foreign: [1, 800, 200, 1, 1, 1],
};

/** Weights of the days from booking to value date (Bien, valueDateRule). */
const valueDateWeights: Readonly<Record<CardKind, readonly number[]>> = {
  domestic: [1],
  visa: [1],
  foreign: [13, 34, 5, 5],
};

/** The most days between a purchase and its booking: over Easter no bank books for five days. */
export const longestLag = 8;

/** The days on which a purchase of a day may be booked, with their weights; never none. */
export interface BookingDays {
  readonly days: readonly LocalDate[];
  readonly weights: readonly number[];
}

/**
 * When purchases of this day are booked: on banking days within the lags of their card, or on the next one after them.
 */
export function bookingDays(card: CardKind, day: LocalDate, calendar: BankingCalendar): BookingDays {
  const isOpen = (date: LocalDate): boolean =>
    isBankingDay(date, calendar) || (card === 'foreign' && date > day && isSaturdayAtMonthEnd(date, calendar));
  const found = lagWeights[card]
    .map((weight, lag) => ({ date: addDays(day, lag), weight }))
    .filter(({ date, weight }) => weight > 0 && isOpen(date));
  if (found.length === 0) return { days: [nextBankingDay(day, calendar)], weights: [1] };
  return { days: found.map(({ date }) => date), weights: found.map(({ weight }) => weight) };
}

/** One of these days, as often as it weighs. `chance` is from 0 up to 1. */
export function bookingDay({ days, weights }: BookingDays, chance: number): LocalDate {
  const day = days[pick(weights, chance)];
  assert(day !== undefined, 'a purchase has a day of booking');
  return day;
}

/** The value date of a purchase that is booked on this day. */
export function valueDay(card: CardKind, booked: LocalDate, chance: number): LocalDate {
  const later = pick(valueDateWeights[card], chance);
  return later === 0 ? booked : addDays(booked, later);
}

/** The place of a weight, as often as it weighs. */
function pick(weights: readonly number[], chance: number): number {
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return Math.max(0, place);
}

/** A Saturday that ends a month and is no holiday: banks book fees and foreign cards on it (register 25). */
export function isSaturdayAtMonthEnd(date: LocalDate, calendar: BankingCalendar): boolean {
  return monthOf(addDays(date, 1)) !== monthOf(date) && calendar.closure(date) === 'Saturday';
}
