import { formatDate, formatMonth, formatWeekday, monthOf, parseLocalDate } from '../../../engine/values/local-date.ts';
import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';

/* Dates and instants of answers. */

/** An instant of an answer, which has Oslo's offset: `Tue 30 Mar 2027, 05:30`, with the seconds that are not zero. */
export function instant(text: string): Html {
  return html`<time datetime="${text}">${instantText(text)}</time>`;
}

/** The same as plain text. */
export function instantText(text: string): string {
  return `${dateText(text.slice(0, 10))}, ${timeText(text)}`;
}

/** The time of day of an instant of an answer, `05:30`, with the seconds that are not zero. */
export function timeText(text: string): string {
  const [time = '', seconds = ''] = [text.slice(11, 16), text.slice(16, 19)];
  return seconds === ':00' ? time : time + seconds;
}

/** A date of an answer: `Tue 30 Mar 2027`. */
export function date(text: string): Html {
  return html`<time datetime="${text}">${dateText(text)}</time>`;
}

/** The same as plain text. */
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

/** A date of an answer in a table: `Tue 30 Mar`, with its year where it is not the year of the bank. */
export function day(call: PageCall, text: string): Html {
  return html`<time datetime="${text}">${dayText(call, text)}</time>`;
}

/** An instant of an answer in a table: `Tue 30 Mar 05:30`, with the year as {@link day} has it. */
export function moment(call: PageCall, text: string, time = timeText(text)): Html {
  return html`<time datetime="${text}">${dayText(call, text.slice(0, 10))} ${time}</time>`;
}

function dayText({ year }: PageCall, text: string): string {
  return text.startsWith(`${year}-`) ? shortDateText(text) : dateText(text);
}

/** The month of a date of an answer: `March 2027`. */
export function monthText(text: string): string {
  const day = parseLocalDate(text);
  return day === null ? text : `${formatMonth(monthOf(day))} ${text.slice(0, 4)}`;
}

/** Whether an instant of an answer is after one and not after another. */
export function isBetween(at: string, from: string, to: string): boolean {
  return Date.parse(at) > Date.parse(from) && Date.parse(at) <= Date.parse(to);
}
