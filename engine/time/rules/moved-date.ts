import { addDays, type LocalDate } from '../../values/local-date.ts';
import { type BankingCalendar, adjust, type ExecutionRule } from './banking-calendar.ts';

/** An execution date, and the date and rule behind it. */
export interface DatedExecution {
  /** The date before any closed day moved it: an occurrence's nominal date, else the date requested. */
  readonly wanted: LocalDate;
  readonly executionDate: LocalDate;
  readonly rule: ExecutionRule;
}

/** Why an execution is on another date than the one wanted (rules.md P3, P13, R6). */
export interface MovedDate extends DatedExecution {
  readonly kind: 'moved';
  /** The closed days between the date wanted and the banking day that the rule gives, in order: `weekend` or a holiday. Empty: it is a banking day. */
  readonly closed: readonly string[];
  /** The banking day that the rule gives, if its runs were over at the signature; null: it is the execution date. */
  readonly missed: LocalDate | null;
  /** False: an occurrence of an unsigned order, as if it were signed now. */
  readonly isSigned: boolean;
}

/** The cause of an execution date; null: it is the date wanted. */
export function movedDate(
  { wanted, executionDate, rule }: DatedExecution,
  calendar: BankingCalendar,
  isSigned = true,
): MovedDate | null {
  if (executionDate === wanted) return null;
  const adjusted = adjust(wanted, rule, calendar);
  const missed = adjusted === executionDate ? null : adjusted;
  return {
    kind: 'moved',
    wanted,
    executionDate,
    rule,
    closed: closedDays(wanted, adjusted, calendar),
    missed,
    isSigned,
  };
}

/** Names the closed days from the date wanted to the one it moves to, each once. A Saturday or Sunday without a holiday is `weekend`. */
function closedDays(wanted: LocalDate, adjusted: LocalDate, calendar: BankingCalendar): string[] {
  const names = new Set<string>();
  const [first, end] = adjusted > wanted ? [wanted, adjusted] : [addDays(adjusted, 1), addDays(wanted, 1)];
  for (let day = first; adjusted !== wanted && day < end; day = addDays(day, 1)) {
    const name = calendar.closure(day);
    if (name !== null) names.add(name === 'Saturday' || name === 'Sunday' ? 'weekend' : name);
  }
  return [...names];
}
