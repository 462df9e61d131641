import { dayOf, monthOf, weekday, yearOf, type LocalDate } from './local-date.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `Thursday 25 March 2027`. */
export function formatDate(date: LocalDate): string {
  return `${formatWeekday(date)} ${dayOf(date)} ${formatMonth(monthOf(date))} ${yearOf(date)}`;
}

/** `Thursday`. */
export function formatWeekday(date: LocalDate): string {
  return weekdays[weekday(date) - 1] ?? '';
}

/** The name of month 1..12. */
export function formatMonth(month: number): string {
  return months[month - 1] ?? '';
}
