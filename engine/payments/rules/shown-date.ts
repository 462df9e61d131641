import { awaitsSignature, type TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import { executionDateWhenSigned } from '../../time/rules/execution-date.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { isInstant } from '../../values/product.ts';

/** The columns of a payment that decide on its shown execution date. */
export interface DatedPayment {
  readonly product: string;
  readonly status: TransactionStatus;
  readonly execution_date: LocalDate | null;
}

/**
 * The execution date that every place shows for a single or bulk payment: of an unsigned one as if it were signed now (rules.md P3c,
 * P13; an instant one today, P10). Null for a standing order.
 */
export function shownDate(
  { product, status, execution_date: date }: DatedPayment,
  now: Instant,
  calendar: BankingCalendar,
): LocalDate | null {
  if (date === null || !awaitsSignature(status)) return date;
  const today = osloDate(now);
  return isInstant(product) ? today : executionDateWhenSigned(date, today, calendar);
}
