import type { BankingCalendar, ExecutionRule } from '../../time/rules/banking-calendar.ts';
import type { Currency } from '../../values/currency.ts';
import { formatDay, movedReason } from '../../time/rules/moved-date.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { formatAmount } from '../../values/money.ts';
import { isFirstAttempt, lastAttempt, type SettlementDecision } from '../../settlement/rules/settlement.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';

/** A future attempt, with what its reason depends on. */
interface ForecastAttempt {
  readonly run: SettlementRun;
  readonly decision: SettlementDecision;
  /** The date before any closed day moved it: an occurrence's nominal date, else the date requested. */
  readonly wanted: LocalDate;
  readonly rule: ExecutionRule;
  /** Of the debtor account. */
  readonly currency: Currency;
}

/**
 * Formats the reason of a forecast attempt: `due 2027-03-25; Skjærtorsdag 25 March to Andre påskedag 29 March closed,
 * so moved to Tuesday 30 March (following); funds 100.00 NOK short, attempt 2 of 5`.
 */
export function forecastReason(attempt: ForecastAttempt, calendar: BankingCalendar): string {
  return [...dayReasons(attempt, calendar), ...runReasons(attempt), fundsReason(attempt)].join('; ');
}

function dayReasons({ wanted, rule, decision }: ForecastAttempt, calendar: BankingCalendar): string[] {
  const moved = movedReason({ wanted, rule, executionDate: decision.execution.executionDate }, calendar);
  return [`due ${wanted}`, ...(moved === null ? [] : [moved])];
}

/** An execution is first tried on its date, unless it was signed after that day's runs (rules.md T4). */
function runReasons({ run, decision: { execution } }: ForecastAttempt): string[] {
  if (!isFirstAttempt(execution) || run.date === execution.executionDate) return [];
  return [`signed after the runs of that day, so tried on ${formatDay(run.date)}`];
}

function fundsReason({ decision, currency }: ForecastAttempt): string {
  const { execution, outcome, attempt, available, needed, reason } = decision;
  if (execution.rejection !== null) return `rejected for the control plane: ${execution.rejection}`;
  if (reason !== null) return `rejected: ${reason}`;
  const money = (minor: bigint): string => `${formatAmount({ minor, currency })} ${currency}`;
  const fee = execution.foreign?.fee ?? 0n;
  const before = available - execution.debtor.creditLine - execution.debtor.balance;
  const facts = [
    ...(fee > 0n ? [`fee of ${money(fee)} included`] : []),
    ...(before === 0n ? [] : [`${money(before < 0n ? -before : before)} ${before < 0n ? 'less' : 'more'} than now`]),
  ];
  const known = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const count = `attempt ${attempt} of ${lastAttempt}`;
  if (outcome === 'settle') return `funds suffice${known}${attempt === 1 ? '' : `, ${count}`}`;
  if (available >= needed) return 'rejected, as an account would hold more than it can';
  const short = `funds ${money(needed - available)} short${known}, ${count}`;
  return outcome === 'reject' ? `${short}, so rejected` : short;
}
