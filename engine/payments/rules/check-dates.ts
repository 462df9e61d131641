import { type BankingCalendar, isBankingDay } from '../../time/rules/banking-calendar.ts';
import type { Fault, Warning } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { lastExecutionDate, firstIndexFrom, occurrence } from '../../time/rules/occurrences.ts';
import { ignoresDay, scheduleOf, type PeriodicPaymentInitiation } from './payment-initiation.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import { isDomestic, type Product } from '../../values/product.ts';
import type { Currency } from '../../values/money.ts';

export interface DateVerdict {
  readonly faults: readonly Fault[];
  /** Warnings about ignored members. Every answer about the payment warns of a moved date (rules.md P3c). */
  readonly warnings: readonly Warning[];
}

/** The day that a single or bulk payment asks for: without a date that of its initiation (rules.md P3). */
export function requestedDay(requested: LocalDate | null | undefined, initiatedAt: Instant): LocalDate {
  return requested ?? osloDate(initiatedAt);
}

/** Checks the day that a single or bulk payment asks for (rules.md P3, T7). EXECUTION_DATE_INVALID. */
export function checkRequestedDate(wanted: LocalDate, today: LocalDate): DateVerdict {
  const path = 'requestedExecutionDate';
  if (wanted < today)
    return wrongDate(path, `${wanted} has passed: today is ${today}. Ask for ${today} or a later day.`);
  if (wanted > lastExecutionDate) return wrongDate(path, beyondLastDay(wanted));
  return { faults: [], warnings: [] };
}

/**
 * Checks the dates of a periodic payment, and warns of members that its frequency ignores (rules.md R3, R5, R7).
 * EXECUTION_DATE_INVALID.
 */
export function checkPeriodicDates(
  body: PeriodicPaymentInitiation,
  today: LocalDate,
  calendar: BankingCalendar,
): DateVerdict {
  const { startDate } = body;
  if (startDate < today) {
    return wrongDate('startDate', `${startDate} has passed: today is ${today}. Start on ${today} or later.`);
  }
  if (startDate > lastExecutionDate) return wrongDate('startDate', beyondLastDay(startDate));
  const schedule = scheduleOf(body);
  if (occurrence(schedule, firstIndexFrom(schedule, startDate), calendar) === null) {
    const wanted = body.frequency === 'MonthlyVariable' ? 'monthsOfExecution or dayOfExecution' : 'dayOfExecution';
    const none = `No day of execution falls between ${startDate} and ${schedule.endDate ?? lastExecutionDate}`;
    return wrongDate('endDate', `${none}. Move endDate, or change ${wanted}.`);
  }
  return { faults: [], warnings: ignoredMembers(body) };
}

function wrongDate(path: string, text: string): DateVerdict {
  const fault = { code: 'EXECUTION_DATE_INVALID', path, text } as const;
  return { faults: [fault], warnings: [] };
}

function beyondLastDay(date: string): string {
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

/** A change of a payment in another channel; null leaves the member as it is (rules.md P14). */
export interface PaymentChange {
  readonly amount: { readonly amount: string; readonly currency: Currency } | null;
  readonly requestedExecutionDate: LocalDate | null;
}

interface ChangedPayment {
  readonly service: 'payments' | 'periodic-payments' | 'bulk-payments';
  readonly product: Product;
  /** Null for a bulk payment: each item has its own. */
  readonly currency: Currency | null;
}

/**
 * The faults of a change (rules.md P14). The amount can change for a domestic single or periodic payment, in the same
 * currency: SERVICE_INVALID, PAYMENT_FAILED. The date can change for a single or bulk payment, to a day after today so
 * that it stays ACSP: SERVICE_INVALID, EXECUTION_DATE_INVALID.
 */
export function checkPaymentChange(
  { amount, requestedExecutionDate: date }: PaymentChange,
  payment: ChangedPayment,
  today: LocalDate,
  calendar: BankingCalendar,
): readonly Fault[] {
  const faults = amount === null ? [] : checkAmount(amount.currency, payment);
  if (date === null) return faults;
  const path = 'requestedExecutionDate';
  if (payment.service === 'periodic-payments') {
    const text = 'A periodic payment has a schedule and no date of its own. Cancel it and make a new one.';
    return [...faults, { code: 'SERVICE_INVALID', path, text }];
  }
  if (date !== today || !isBankingDay(today, calendar)) return [...faults, ...checkRequestedDate(date, today).faults];
  const text = `The payment would be due today, ${today}, and could not be changed any more. Ask for a later day.`;
  return [...faults, { code: 'EXECUTION_DATE_INVALID', path, text }];
}

function checkAmount(currency: Currency, payment: ChangedPayment): Fault[] {
  const isOpen = isDomestic(payment.product) && payment.currency !== null;
  if (!isOpen) {
    const text = 'The amount of a domestic single or periodic payment alone can be changed.';
    return [{ code: 'SERVICE_INVALID', path: 'amount', text }];
  }
  if (currency === payment.currency) return [];
  const text = `The payment is in ${payment.currency}. Change the amount, not the currency.`;
  return [{ code: 'PAYMENT_FAILED', path: 'amount.currency', text }];
}
