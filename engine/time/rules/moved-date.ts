import { addDays, dayOf, formatMonth, formatWeekday, type LocalDate, monthOf } from '../../values/local-date.ts';
import { type BankingCalendar, adjust, type ExecutionRule } from './banking-calendar.ts';

/** An execution date, and the date and rule behind it. */
export interface DatedExecution {
  /** The date before any closed day moved it: an occurrence's nominal date, else the date requested. */
  readonly wanted: LocalDate;
  readonly executionDate: LocalDate;
  readonly rule: ExecutionRule;
}

/**
 * Why an execution is not on the date wanted (rules.md P3, P13, R6): `Skjærtorsdag 25 March to Andre påskedag 29 March closed, so
 * moved to Tuesday 30 March (following)`. Null if it is on that date. `isSigned` is false for an unsigned order, which counts as
 * signed now.
 */
export function movedReason(
  { wanted, executionDate, rule }: DatedExecution,
  calendar: BankingCalendar,
  isSigned = true,
): string | null {
  if (executionDate === wanted) return null;
  const adjusted = adjust(wanted, rule, calendar);
  const day = formatDay(executionDate);
  if (adjusted === executionDate)
    return `${closedDays(wanted, adjusted, calendar)} closed, so moved to ${day} (${rule})`;
  if (adjusted === wanted) return `signed after that day, so moved to ${day}`;
  const closed = `${closedDays(wanted, adjusted, calendar)} closed`;
  const missed = `${formatDay(adjusted)} (${rule})`;
  return `${closed}, and ${isSigned ? `signed too late for ${missed}` : `${missed} has no run left`}, so moved to ${day}`;
}

/** Names the first and last closed day between the date wanted and the one it moves to. */
function closedDays(wanted: LocalDate, adjusted: LocalDate, calendar: BankingCalendar): string {
  const [first, last] = adjusted > wanted ? [wanted, addDays(adjusted, -1)] : [addDays(adjusted, 1), wanted];
  const named = [...new Set([first, last])].map((date) => `${calendar.closure(date)} ${formatDayOfMonth(date)}`);
  return named.join(' to ');
}

/** `Tuesday 30 March`. */
export function formatDay(date: LocalDate): string {
  return `${formatWeekday(date)} ${formatDayOfMonth(date)}`;
}

function formatDayOfMonth(date: LocalDate): string {
  return `${dayOf(date)} ${formatMonth(monthOf(date))}`;
}
