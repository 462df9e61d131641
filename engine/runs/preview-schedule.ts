import { type MovedDate, movedDate } from '../time/rules/banking-calendar.ts';
import { clockRange } from '../time/rules/bank-clock.ts';
import { refuseAny, type Warning, Refusal } from '../values/fault.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { firstIndexToPay, occurrences, type Occurrence, notBeforeRun } from '../time/rules/occurrences.ts';
import { firstRunIfSigned, type LaneRuns } from '../time/rules/settlement-run.ts';
import { scheduleOf, type PeriodicPaymentInitiation } from '../payments/rules/payment-initiation.ts';
import { checkPeriodicDates } from '../payments/rules/payment-dates.ts';

/** An occurrence, and why it is not on its nominal date. */
interface PreviewedOccurrence extends Occurrence {
  readonly moved: MovedDate | null;
}

export interface SchedulePreview {
  readonly occurrences: readonly PreviewedOccurrence[];
  readonly warnings: readonly Warning[];
}

/** How many occurrences are wanted, and when the payment would be signed. */
export interface PreviewTerms {
  readonly count: number;
  readonly now: Instant;
  /** Null means now, and the occurrences that have passed are listed too. */
  readonly signedAt: Instant | null;
}

/**
 * The first `count` occurrences of a periodic payment; creates nothing. Checks its dates as an initiation does, except
 * that they may have passed. `runs`: those of the debtor account. With `signedAt` the list begins with the first occurrence that the bank pays after that signature
 * (rules.md P13), and none is executed before the next run (R6, P3c). Without it, passed occurrences stand first, as planned. No day of execution inside the period: EXECUTION_DATE_INVALID; a start before
 * the banking calendar begins (1990): BAD_REQUEST.
 */
export function previewSchedule(
  runs: LaneRuns,
  body: PeriodicPaymentInitiation,
  { count, now, signedAt }: PreviewTerms,
): SchedulePreview {
  const { calendar } = runs;
  const earliest = osloDate(clockRange.from);
  if (body.startDate < earliest) {
    const text = `startDate ${body.startDate} is before ${earliest}, where the banking calendar begins.`;
    const bounds = { from: earliest, to: osloDate(clockRange.to) };
    throw new Refusal({ code: 'BAD_REQUEST', path: 'startDate', text, allowed: bounds });
  }
  const { faults, warnings } = checkPeriodicDates(body, body.startDate, calendar);
  refuseAny(faults);
  const schedule = scheduleOf(body);
  const signed = signedAt ?? now;
  const firstPaid = firstIndexToPay(schedule, osloDate(signed), calendar);
  const notBefore = firstRunIfSigned(signed, runs).date;
  const found: PreviewedOccurrence[] = [];
  for (const planned of occurrences(schedule, calendar, signedAt === null ? 0 : firstPaid)) {
    const one = planned.index < firstPaid ? planned : notBeforeRun(notBefore, planned, runs.datesByRun);
    const { nominalDate: wanted, executionDate } = one;
    const dated = { wanted, executionDate, rule: schedule.executionRule, signedOn: osloDate(signed) };
    if (found.push({ ...one, moved: movedDate(dated, calendar, signedAt !== null) }) === count) break;
  }
  return { occurrences: found, warnings };
}
