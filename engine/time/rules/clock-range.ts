import { addDuration } from '../../values/duration.ts';
import { startOfDay, type Instant } from '../../values/instant.ts';
import { addDays, localDate } from '../../values/local-date.ts';
import { lastExecutionDate } from './nominal-dates.ts';

/** The years that the banking calendar covers with a year to spare on either side, so that there is a run before and after. */
const firstDate = localDate('1991-01-01');

/** The first and the last instant that a bank clock can be set to: 00:00 on 1 January 1991, the last ms of 2099 (rules.md T7). */
export const clockRange: { readonly from: Instant; readonly to: Instant } = {
  from: startOfDay(firstDate),
  to: (startOfDay(addDays(lastExecutionDate, 1)) - 1) as Instant,
};

const longestAdvance = { months: 120, days: 0, seconds: 0 };

/** How far one call may advance: 10 years, and never beyond the range (control plane: POST /sandbox/clock/advance). */
export function furthestAdvance(from: Instant): Instant {
  return Math.min(addDuration(from, longestAdvance), clockRange.to) as Instant;
}
