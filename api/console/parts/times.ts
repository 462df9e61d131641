import { html, type Html } from '../../pages/html.ts';
import { dateText, instantText, shortDateText, timeText } from '../../pages/format.ts';
import type { PageCall } from '../page-call.ts';

/* Dates and instants of answers. */

/** An instant of an answer, which has Oslo's offset: `Tue 30 Mar 2027, 05:30`, with the seconds that are not zero. */
export function instant(text: string): Html {
  return html`<time datetime="${text}">${instantText(text)}</time>`;
}

/** A date of an answer: `Tue 30 Mar 2027`. */
export function date(text: string): Html {
  return html`<time datetime="${text}">${dateText(text)}</time>`;
}

/** A date of an answer in a table: `Tue 30 Mar`, with its year where it is not the year of the bank. */
export function day(call: PageCall, text: string): Html {
  return html`<time datetime="${text}">${dayText(call, text)}</time>`;
}

/** An instant of an answer in a table: `Tue 30 Mar, 05:30`, with the year as {@link day} has it. */
export function moment(call: PageCall, text: string, time = timeText(text)): Html {
  return html`<time datetime="${text}">${dayText(call, text.slice(0, 10))}, ${time}</time>`;
}

function dayText({ year }: PageCall, text: string): string {
  return text.startsWith(`${year}-`) ? shortDateText(text) : dateText(text);
}

/** Whether an instant of an answer is after one and not after another. */
export function isBetween(at: string, from: string, to: string): boolean {
  return Date.parse(at) > Date.parse(from) && Date.parse(at) <= Date.parse(to);
}
