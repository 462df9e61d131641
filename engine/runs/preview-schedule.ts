import { clockRange } from '../time/rules/bank-clock.ts';
import { refuseAny, type Warning } from '../values/fault.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { occurrences, type Occurrence } from '../time/rules/occurrences.ts';
import { firstRunAfter, type RunSchedule } from '../time/rules/settlement-run.ts';
import { notBeforeRun } from '../time/rules/standing-order.ts';
import { scheduleOf, type PeriodicPaymentInitiation } from '../payments/rules/payment-initiation.ts';
import { checkPeriodicDates } from '../payments/rules/requested-dates.ts';
import { NotAllowed } from '../bank/not-allowed.ts';

export interface SchedulePreview {
  readonly occurrences: readonly Occurrence[];
  readonly warnings: readonly Warning[];
}

/** How many occurrences are wanted, and when the payment would be signed. */
export interface PreviewTerms {
  readonly count: number;
  readonly signedAt: Instant;
}

/**
 * The first `count` occurrences of a periodic payment; creates nothing. Checks its dates as an initiation does, except
 * that they may have passed. No occurrence of the day of the signature or later is before the first run after it (rules.md R6, P3c);
 * those that had passed are listed as planned. No day of execution inside the period: EXECUTION_DATE_INVALID; a start before
 * the banking calendar begins (1991): BAD_REQUEST.
 */
export function previewSchedule(
  runs: RunSchedule,
  body: PeriodicPaymentInitiation,
  { count, signedAt }: PreviewTerms,
): SchedulePreview {
  const { calendar } = runs;
  const earliest = osloDate(clockRange.from);
  if (body.startDate < earliest) {
    const text = `startDate ${body.startDate} is before ${earliest}, where the banking calendar begins.`;
    const bounds = { from: earliest, to: osloDate(clockRange.to) };
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'startDate', text }, bounds);
  }
  const { faults, warnings } = checkPeriodicDates(body, body.startDate, calendar);
  refuseAny(faults);
  const signedOn = osloDate(signedAt);
  const notBefore = firstRunAfter(signedAt, runs).date;
  const found: Occurrence[] = [];
  for (const planned of occurrences(scheduleOf(body), calendar)) {
    const one = planned.nominalDate < signedOn ? planned : notBeforeRun(notBefore, planned, calendar);
    if (found.push(one) === count) break;
  }
  return { occurrences: found, warnings };
}
