import { awaitsSignature, type TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import { type BankingCalendar, executionDateWhenSigned, adjust } from '../../time/rules/banking-calendar.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { isInstant } from '../../values/product.ts';
import type { DatedExecution } from '../../time/rules/moved-date.ts';
import { runId, type SettlementRun } from '../../time/rules/settlement-run.ts';
import type { Warning } from '../../values/fault.ts';

/** The columns of a payment that decide on its shown execution date. */
interface DatedPayment {
  readonly product: string;
  readonly status: TransactionStatus;
  readonly execution_date: LocalDate | null;
}

/**
 * The execution date that is shown everywhere for a single or bulk payment. An unsigned payment counts as signed now (rules.md P3c,
 * P13), so an instant one is executed today (P10). Null for a standing order.
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

/**  The payment that a warning is about. */
interface WarnedPayment {
  readonly isPeriodic: boolean;
  /** An unsigned payment is judged as if it were signed now. */
  readonly isSigned: boolean;
}

/**  WARNING that an execution moved away from the day wanted, with both days and the reason (rules.md P3, P3c, R6); else null. */
export function movedWarning(
  payment: WarnedPayment,
  execution: DatedExecution,
  calendar: BankingCalendar,
): Warning | null {
  const { wanted, executionDate } = execution;
  if (executionDate === wanted) return null;
  const what = payment.isPeriodic ? `The payment of ${wanted}` : 'The payment';
  const text = `${whyMoved(payment, execution, calendar)} ${what} is executed on ${executionDate}`;
  const isAdjusted = adjust(wanted, execution.rule, calendar) === executionDate;
  return warning(payment, isAdjusted ? `${text}, the ${execution.rule} banking day.` : `${text}.`);
}

function whyMoved(
  { isSigned }: WarnedPayment,
  { wanted, executionDate, rule }: DatedExecution,
  calendar: BankingCalendar,
) {
  const closure = calendar.closure(wanted);
  const adjusted = adjust(wanted, rule, calendar);
  if (closure !== null && adjusted === executionDate) return `${wanted} is closed (${closure}).`;
  const closed =
    closure === null ? wanted : `${wanted} is closed (${closure}), and the ${rule} banking day, ${adjusted},`;
  if (rule === 'preceding') {
    return isSigned ? `${closed} had no run left when the payment was signed.` : `${closed} has no run left.`;
  }
  return isSigned
    ? `${closed} had passed when the payment was signed.`
    : `${closed} has passed, and the payment is not signed.`;
}

/**  WARNING that the day on which a payment is due has no run left, with the run that carries it out (rules.md P3b). */
export function lateWarning(
  payment: WarnedPayment,
  { dueOn, run, time }: { readonly dueOn: LocalDate; readonly run: SettlementRun; readonly time: string },
): Warning {
  const what = payment.isPeriodic ? 'The first payment' : 'The payment';
  const text =
    `No settlement run of ${dueOn} is left. ${what} stays due on that day, and run ${runId(run)} carries it out, ` +
    `on ${run.date} at ${time}.`;
  return warning(payment, text);
}

function warning({ isPeriodic }: WarnedPayment, text: string): Warning {
  return { code: 'EXECUTION_DATE_INVALID', path: isPeriodic ? 'startDate' : 'requestedExecutionDate', text };
}
