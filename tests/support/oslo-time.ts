import { osloInstant } from '../../engine/core/instant.ts';
import type { Instant } from '../../engine/core/instant.ts';
import { localDate } from '../../engine/core/local-date.ts';

/** `2027-03-30 05:30` on Oslo's clocks. */
export function osloTime(text: string): Instant {
  const [date = '', time = ''] = text.split(' ');
  return osloInstant(localDate(date), time);
}
