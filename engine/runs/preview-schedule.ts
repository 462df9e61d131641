import { clockRange } from '../time/rules/bank-clock.ts';
import { refuseAny, type Warning } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { occurrences, type Occurrence } from '../time/rules/occurrences.ts';
import { scheduleOf, type PeriodicPaymentInitiation } from '../payments/rules/payment-initiation.ts';
import { checkPeriodicDates } from '../payments/rules/requested-dates.ts';
import type { BankingCalendar } from '../time/rules/banking-calendar.ts';
import { NotAllowed } from '../bank/not-allowed.ts';

export interface SchedulePreview {
  readonly occurrences: readonly Occurrence[];
  readonly warnings: readonly Warning[];
}

/**
 * The first `count` occurrences of a periodic payment; creates nothing. Checks its dates as an initiation does, except
 * that they may have passed (rules.md R6). No day of execution inside the period: EXECUTION_DATE_INVALID; a start before
 * the banking calendar begins (1991): BAD_REQUEST.
 */
export function previewSchedule(
  calendar: BankingCalendar,
  body: PeriodicPaymentInitiation,
  count: number,
): SchedulePreview {
  const earliest = osloDate(clockRange.from);
  if (body.startDate < earliest) {
    const text = `startDate ${body.startDate} is before ${earliest}, where the banking calendar begins.`;
    const bounds = { from: earliest, to: osloDate(clockRange.to) };
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'startDate', text }, bounds);
  }
  const { faults, warnings } = checkPeriodicDates(body, body.startDate, calendar);
  refuseAny(faults);
  const found: Occurrence[] = [];
  for (const one of occurrences(scheduleOf(body), calendar)) {
    if (found.push(one) === count) break;
  }
  return { occurrences: found, warnings };
}
