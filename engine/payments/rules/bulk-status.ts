import { isOpenStatus, type ExecutionStatus } from '../../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/**
 * The status of a bulk payment after a run that tried items of it, from the statuses of all items (rules.md S9b). PART:
 * some have settled, the others are open, or were rejected; finally when none is open. ACSC: all have settled. RJCT: all were
 * rejected. ACCP: none has settled and some are open, as funds were lacking.
 */
export function bulkStatus(items: ReadonlySet<ExecutionStatus>): TransactionStatus {
  const isOpen = hasOpenItem(items);
  if (items.has('ACSC')) return isOpen || items.has('RJCT') ? 'PART' : 'ACSC';
  return isOpen ? 'ACCP' : 'RJCT';
}

/** Whether a run will try an item of a bulk payment with these statuses of items. */
export function hasOpenItem(items: ReadonlySet<ExecutionStatus>): boolean {
  return [...items].some(isOpenStatus);
}
