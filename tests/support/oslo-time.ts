import { osloInstant } from '../../engine/values/instant.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';

/** `2027-03-30 05:30` on Oslo's clocks. */
export function osloTime(text: string): Instant {
  const [date = '', time = ''] = text.split(' ');
  return osloInstant(localDate(date), time);
}
