import { formatDate, formatMonth, formatWeekday, monthOf, parseLocalDate } from '../../engine/values/local-date.ts';

/* Dates and instants of answers, which have Oslo's offset, as plain texts. */

/** `Tue 30 Mar 2027, 05:30`, with the seconds that are not zero. */
export function instantText(text: string): string {
  return `${dateText(text.slice(0, 10))}, ${timeText(text)}`;
}

/** The time of day of an instant, `05:30`, with the seconds that are not zero. */
export function timeText(text: string): string {
  const [time = '', seconds = ''] = [text.slice(11, 16), text.slice(16, 19)];
  return seconds === ':00' ? time : time + seconds;
}

/** `Tue 30 Mar 2027` */
export function dateText(text: string): string {
  const day = parseLocalDate(text);
  if (day === null) return text;
  const [, number = '', month = '', year = ''] = formatDate(day).split(' ');
  return `${formatWeekday(day).slice(0, 3)} ${number} ${month.slice(0, 3)} ${year}`;
}

/** The same without the year: `Tue 30 Mar`. */
export function shortDateText(text: string): string {
  return dateText(text).slice(0, -5);
}

/** The month of a date of an answer: `March 2027`. */
export function monthText(text: string): string {
  const day = parseLocalDate(text);
  return day === null ? text : `${formatMonth(monthOf(day))} ${text.slice(0, 4)}`;
}
