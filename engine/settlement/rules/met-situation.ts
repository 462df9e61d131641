import { movedBy, type Situation } from '../../bank/rules/situation.ts';
import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import { isFirstAttempt, lastAttempt, type SettlementDecision } from './settlement.ts';

/**
 * The situation that a TPP meets with a decision, or null. The moved date of an occurrence counts at its first attempt; that of
 * another payment counted at its initiation (rules.md P3, R6).
 */
export function situationOf(
  { execution, outcome, attempt, available, needed, reason }: SettlementDecision,
  calendar: BankingCalendar,
): Situation | null {
  if (outcome === 'settle' && !isFirstAttempt(execution)) return 'ACCP then ACSC';
  if (outcome === 'reject' && reason === null && attempt === lastAttempt && available < needed) return 'fifth attempt';
  const { isOccurrence, nominalDate, executionDate } = execution;
  if (!isOccurrence || !isFirstAttempt(execution) || nominalDate === executionDate) return null;
  const closure = calendar.closure(nominalDate);
  return closure === null ? null : movedBy(closure);
}
