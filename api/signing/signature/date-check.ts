import type { Instant } from '../../../engine/values/instant.ts';
import { type ReceivedHeaders, singleHeader } from './signing-string.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';

/** Allowed deviation, in ms. */
const maxDeviationMs = 60_000;
const lengthOfFixdate = 29;

/**
 * Milliseconds since 1970 of an RFC 7231 IMF-fixdate (`Sun, 05 Jan 2014 21:31:40 GMT`), or null. `Date.parse` alone
 * accepts 31 February and wrong weekdays, so the printed time must equal the text too.
 */
export function parseImfFixdate(text: string): number | null {
  if (text.length !== lengthOfFixdate) return null;
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toUTCString() === text ? milliseconds : null;
}

/**
 * Checks the Date header (rules.md G1, G2): present (HTTP_HEADER_REQUIRED), well-formed (FORMAT_ERROR) and within 60 s
 * of the wall clock, before or after (TIMESTAMP_INVALID).
 */
export function checkDate(headers: ReceivedHeaders, now: Instant): void {
  const date = singleHeader(headers, 'date', 'FORMAT_ERROR');
  const bankTime = (): string => new Date(now).toUTCString();
  if (date === null) {
    throw signingRefusal(
      'HTTP_HEADER_REQUIRED',
      'date',
      `The header Date is missing. Send the time of signing, as in: ${bankTime()}`,
    );
  }
  const sent = parseImfFixdate(date);
  if (sent === null) {
    const text = `The header Date is "${oneLine(date)}". ${cureOfDate(date)} Expected an RFC 7231 date in GMT with the right weekday, as in: ${bankTime()}`;
    throw signingRefusal('FORMAT_ERROR', 'date', text);
  }
  const deviation = sent - now;
  if (Math.abs(deviation) > maxDeviationMs) {
    const seconds = (Math.abs(deviation) / 1000).toFixed(1);
    const text = `The header Date is "${date}"; the bank's wall clock shows ${bankTime()}: ${seconds} s ${deviation < 0 ? 'behind' : 'ahead'}, 60 s are allowed. ${cureOfDeviation(deviation)}`;
    throw signingRefusal('TIMESTAMP_INVALID', 'date', text);
  }
}

const hour = 3_600_000;
/** Largest offset of a time zone, in hours. */
const maxOffsetHours = 14;

function cureOfDeviation(deviation: number): string {
  const hours = Math.round(Math.abs(deviation) / hour);
  const isWhole = Math.abs(Math.abs(deviation) - hours * hour) <= maxDeviationMs;
  if (!isWhole || hours < 1 || hours > maxOffsetHours) return 'Sign when sending, and check the clock.';
  return `${hours === 1 ? 'One hour' : `${hours} hours`} off: is it local time labelled GMT? Format the time in UTC.`;
}

const shortMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const shortDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Explains why a Date is no IMF-fixdate, and what to do. */
function cureOfDate(text: string): string {
  if (text === '') return 'It is empty.';
  if (/^[^\d,]{2,10}, \d{1,2}\.? \S{3,10} \d{4} \d\d:\d\d:\d\d$/.test(text)) {
    const whole = `${text} GMT`;
    return `GMT is missing at its end.${parseImfFixdate(whole) === null ? ` ${cureOfDate(whole)}` : ''}`;
  }
  if (/^[A-Za-z]{3}, \d [A-Za-z]{3} /.test(text)) {
    return "Write the day with two digits: Java's DateTimeFormatter.RFC_1123_DATE_TIME writes one.";
  }
  if (/^\d{4}-\d\d-\d\d/.test(text)) return 'It is in ISO 8601.';
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(text)) return 'It is a number of seconds or milliseconds.';
  const otherDay = shortDays.map((day) => `${day}${text.slice(3)}`).find((one) => parseImfFixdate(one) !== null);
  if (otherDay !== undefined) return `The weekday of that day is ${otherDay.slice(0, 3)}.`;
  const zone = /^(.{25}) (?:UTC|UT|Z|[A-Z]{3,4}|[+-]\d\d:?\d\d)$/.exec(text)?.[1];
  if (zone !== undefined && parseImfFixdate(`${zone} GMT`) !== null)
    return 'Convert it to GMT, and write GMT at its end.';
  if (/^[A-Za-z]{6,9}, \d\d-[A-Za-z]{3}-\d\d /.test(text)) return 'It is in the format of RFC 850.';
  if (/^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d /.test(text)) return 'It is in the format of asctime.';
  const [, day = '', month = ''] = /^([^\d,]{2,10}),? \d{1,2}\.? ([^\d ]{3,10}) /.exec(text) ?? [];
  if (day !== '' && !(shortDays.includes(day) && shortMonths.includes(month))) {
    return 'Write weekday and month in English, whatever the locale.';
  }
  return 'It is no such date.';
}
