import { type BankingCalendar, executionDateFor } from '../../time/rules/banking-calendar.ts';
import type { Fault, Warning } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { lastExecutionDate } from '../../time/rules/nominal-dates.ts';
import { firstIndexFrom, occurrence } from '../../time/rules/occurrences.ts';
import { ignoresDay, scheduleOf, type PeriodicPaymentInitiation } from './payment-initiation.ts';

export interface DateVerdict {
  readonly faults: readonly Fault[];
  /**  Warnings about ignored members. Every answer about the payment warns of a moved date (rules.md P3c). */
  readonly warnings: readonly Warning[];
  /** The banking day of execution; null with a fault, and for a periodic payment. */
  readonly executionDate: LocalDate | null;
  /** The holiday, `Saturday` or `Sunday` that the date moved away from; null: it was not moved. */
  readonly movedFrom: string | null;
}

/** Checks the requested date of a single or bulk payment; null means today (rules.md P3, T7). EXECUTION_DATE_INVALID. */
export function checkRequestedDate(
  requested: LocalDate | null,
  today: LocalDate,
  calendar: BankingCalendar,
): DateVerdict {
  const wanted = requested ?? today;
  const path = 'requestedExecutionDate';
  if (wanted < today) return refused(path, `${wanted} has passed: today is ${today}. Ask for ${today} or a later day.`);
  if (wanted > lastExecutionDate) return refused(path, tooLate(wanted));
  const { date, movedFrom } = executionDateFor(wanted, calendar);
  return { faults: [], warnings: [], executionDate: date, movedFrom };
}

/** Checks the dates of a periodic payment, and warns of members that its frequency ignores (rules.md R3, R5, R7). EXECUTION_DATE_INVALID. */
export function checkPeriodicDates(
  body: PeriodicPaymentInitiation,
  today: LocalDate,
  calendar: BankingCalendar,
): DateVerdict {
  const { startDate } = body;
  if (startDate < today) {
    return refused('startDate', `${startDate} has passed: today is ${today}. Start on ${today} or later.`);
  }
  if (startDate > lastExecutionDate) return refused('startDate', tooLate(startDate));
  const schedule = scheduleOf(body);
  if (occurrence(schedule, firstIndexFrom(schedule, startDate), calendar) === null) {
    const wanted = body.frequency === 'MonthlyVariable' ? 'monthsOfExecution or dayOfExecution' : 'dayOfExecution';
    const none = `No day of execution falls between ${startDate} and ${schedule.endDate ?? lastExecutionDate}`;
    return refused('endDate', `${none}. Move endDate, or change ${wanted}.`);
  }
  return { faults: [], warnings: ignoredMembers(body), executionDate: null, movedFrom: null };
}

function refused(path: string, text: string): DateVerdict {
  const fault = { code: 'EXECUTION_DATE_INVALID', path, text } as const;
  return { faults: [fault], warnings: [], executionDate: null, movedFrom: null };
}

function tooLate(date: string): string {
  return `${date} is beyond ${lastExecutionDate}, the last day that this bank plans for. Ask for an earlier day.`;
}

function ignoredMembers(body: PeriodicPaymentInitiation): Warning[] {
  const warnings: Warning[] = [];
  if (body.dayOfExecution !== undefined && ignoresDay(body.frequency)) {
    warnings.push(ignored('dayOfExecution', `a payment that runs ${body.frequency} has no day of the month`));
  }
  if (body.monthsOfExecution !== undefined && body.frequency !== 'MonthlyVariable') {
    warnings.push(
      ignored('monthsOfExecution', `only MonthlyVariable chooses months, and the frequency is ${body.frequency}`),
    );
  }
  return warnings;
}

function ignored(path: string, why: string): Warning {
  return { code: 'FORMAT_ERROR', path, text: `${path} is ignored: ${why}. Leave it out.` };
}
