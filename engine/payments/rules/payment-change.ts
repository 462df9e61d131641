import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import type { Currency } from '../../values/currency.ts';
import type { Fault } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { products } from '../../values/product.ts';
import { checkRequestedDate } from './payment-dates.ts';

/** A change of a payment in another channel; null leaves the member as it is (rules.md P14). */
export interface PaymentChange {
  readonly amount: { readonly amount: string; readonly currency: Currency } | null;
  readonly requestedExecutionDate: LocalDate | null;
}

interface ChangedPayment {
  readonly service: 'payments' | 'periodic-payments' | 'bulk-payments';
  readonly product: string;
  /** Null for a bulk payment: each item has its own. */
  readonly currency: Currency | null;
}

/**
 * Checks a change (rules.md P14). The amount can change for a domestic single or periodic payment, in the same currency:
 * SERVICE_INVALID, PAYMENT_FAILED. The date can change for a single or bulk payment, to a day after today so that it stays
 * ACSP: SERVICE_INVALID, EXECUTION_DATE_INVALID. `executionDate` is the new banking day; null without a valid date.
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
