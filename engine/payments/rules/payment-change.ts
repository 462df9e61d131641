import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import type { Currency } from '../../values/currency.ts';
import type { Fault } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { products } from '../../values/product.ts';
import { checkRequestedDate } from './requested-dates.ts';

/** What another channel can change of a payment; null stays as it is (rules.md P14). */
export interface PaymentChange {
  readonly amount: { readonly amount: string; readonly currency: Currency } | null;
  readonly requestedExecutionDate: LocalDate | null;
}

export interface ChangedPayment {
  readonly service: 'payments' | 'periodic-payments' | 'bulk-payments';
  readonly product: string;
  /** Null for a bulk payment, whose items have their own. */
  readonly currency: Currency | null;
}

/**
 * What stands against a change. The amount is one of a single or periodic domestic payment, in its currency: a foreign
 * one was priced when it was initiated. The date is a later day than today, as the payment is to stay ACSP, and one of
 * the payments that have a date.
 */
export function checkPaymentChange(
  { amount, requestedExecutionDate: date }: PaymentChange,
  payment: ChangedPayment,
  today: LocalDate,
  calendar: BankingCalendar,
): { readonly faults: readonly Fault[]; readonly executionDate: LocalDate | null } {
  const faults = amount === null ? [] : checkAmount(amount.currency, payment);
  if (date === null) return { faults, executionDate: null };
  const path = 'requestedExecutionDate';
  if (payment.service === 'periodic-payments') {
    const text = 'A periodic payment has a schedule and no date of its own. Cancel it and make a new one.';
    return { faults: [...faults, { code: 'SERVICE_INVALID', path, text }], executionDate: null };
  }
  const verdict = checkRequestedDate(date, today, calendar);
  if (verdict.executionDate === null || verdict.executionDate > today) {
    return { faults: [...faults, ...verdict.faults], executionDate: verdict.executionDate };
  }
  const text = `The payment would be due today, ${today}, and could not be changed any more. Ask for a later day.`;
  return { faults: [...faults, { code: 'EXECUTION_DATE_INVALID', path, text }], executionDate: null };
}

function checkAmount(currency: Currency, payment: ChangedPayment): Fault[] {
  const isOpen = payment.product === products.domestic && payment.currency !== null;
  if (!isOpen) {
    const text = 'The amount of a domestic single or periodic payment alone can be changed.';
    return [{ code: 'SERVICE_INVALID', path: 'amount', text }];
  }
  if (currency === payment.currency) return [];
  const text = `The payment is in ${payment.currency}. Change the amount, not the currency.`;
  return [{ code: 'PAYMENT_FAILED', path: 'amount.currency', text }];
}
