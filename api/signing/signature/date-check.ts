import type { Instant } from '../../../engine/values/instant.ts';
import type { ReceivedHeaders } from './received-headers.ts';
import { singleHeader } from './received-headers.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';

/** In ms. */
const largestDeviation = 60_000;
const lengthOfFixdate = 29;

/**
 * Milliseconds since 1970 of an RFC 7231 IMF-fixdate (`Sun, 05 Jan 2014 21:31:40 GMT`), else null. `Date.parse` alone
 * accepts 31 February and wrong weekdays: the text must also be what the time is printed as.
 */
export function parseImfFixdate(text: string): number | null {
  if (text.length !== lengthOfFixdate) return null;
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toUTCString() === text ? milliseconds : null;
}

/**
 * Checks the Date header (rules.md G1, G2): it is there (HTTP_HEADER_REQUIRED), well-formed (FORMAT_ERROR) and within 60 s
 * of the wall clock, before or after (TIMESTAMP_INVALID).
 */
export function checkDate(headers: ReceivedHeaders, now: Instant): void {
  const date = singleHeader(headers, 'date', 'FORMAT_ERROR');
  const bankTime = new Date(now).toUTCString();
  if (date === null) {
    throw signingRefusal(
      'HTTP_HEADER_REQUIRED',
      'date',
      `The header Date is missing. Send the time of signing, as in: ${bankTime}`,
    );
  }
  const sent = parseImfFixdate(date);
  if (sent === null) {
    const text = `The header Date is "${oneLine(date)}". Expected an RFC 7231 date in GMT with the right weekday, as in: ${bankTime}`;
    throw signingRefusal('FORMAT_ERROR', 'date', text);
  }
  const deviation = sent - now;
  if (Math.abs(deviation) > largestDeviation) {
    const seconds = (Math.abs(deviation) / 1000).toFixed(1);
    const text = `The header Date is "${date}"; the bank's time is ${bankTime}: ${seconds} s ${deviation < 0 ? 'behind' : 'ahead'}, 60 s are allowed. Sign when sending, and check the clock.`;
    throw signingRefusal('TIMESTAMP_INVALID', 'date', text);
  }
}
