import { movedBy, type Situation } from '../../bank/rules/situation.ts';
import type { BankingCalendar } from '../../time/rules/banking-calendar.ts';
import { isFirstAttempt, lastAttempt, type SettlementDecision } from './settlement.ts';

/**
 * What the TPP of a decision meets with it, or null. The date of an occurrence is met at its first attempt; that of another payment
 * was told when it was initiated (rules.md P3, R6).
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
