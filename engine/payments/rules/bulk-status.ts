import { isOpenStatus, type ExecutionStatus } from '../../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/**
 * The status of a bulk payment once a run has tried items of it, from the statuses that its items have (rules.md S9b).
 * PART while some have settled and others still can; ACSC when none can any more and at least one settled; RJCT when all
 * were rejected. Before anything has settled it is ACCP: what was tried lacked funds.
 */
export function bulkStatus(items: ReadonlySet<ExecutionStatus>): TransactionStatus {
  const isOpen = [...items].some(isOpenStatus);
  if (items.has('ACSC')) return isOpen ? 'PART' : 'ACSC';
  return isOpen ? 'ACCP' : 'RJCT';
}
