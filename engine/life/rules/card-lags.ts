import { type BankingCalendar, isBankingDay, nextOrSame } from '../../time/rules/banking-calendar.ts';
import { addDays, type LocalDate } from '../../values/local-date.ts';
import { isSaturdayAtMonthEnd } from './occasions.ts';
import type { CardKind } from './persona.ts';

/**
 * Weights of the days from purchase to booking, 0 to 5. Bookings are on banking days only, so that these are not the shares of
 * facts.json (Bien, bookingLagAfterPurchase): with purchases on every weekday they come to those shares.
 */
const lagWeights: Readonly<Record<CardKind, readonly number[]>> = {
  domestic: [222, 569, 102, 99, 7, 0],
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

/** The day on which a purchase is booked. `chance` is from 0 up to 1. */
export function bookingDay(card: CardKind, day: LocalDate, chance: number, calendar: BankingCalendar): LocalDate {
  const isOpen = (date: LocalDate): boolean =>
    isBankingDay(date, calendar) || (card === 'foreign' && date > day && isSaturdayAtMonthEnd(date, calendar));
  const weights = lagWeights[card].map((weight, lag) => (weight > 0 && isOpen(addDays(day, lag)) ? weight : 0));
  const lag = pick(weights, chance);
  return lag === null ? nextOrSame(addDays(day, 1), calendar) : addDays(day, lag);
}

/** The value date of a purchase that is booked on this day. */
export function valueDay(card: CardKind, booked: LocalDate, chance: number): LocalDate {
  return addDays(booked, pick(valueDateWeights[card], chance) ?? 0);
}

/** The place of a weight, as often as it weighs; null if all are zero. */
function pick(weights: readonly number[], chance: number): number | null {
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return place === -1 ? null : place;
}
