import { isOpenStatus, type ExecutionStatus } from '../../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/**
 * The status of a bulk payment after a run that tried items of it, from the statuses of all items (rules.md S9b, S9c). ACSC: all have
 * settled. PART: some have settled; it is final once no item is open. RJCT: all were rejected. ACCP: no item has settled, and some
 * lack funds.
 */
export function bulkStatus(items: ReadonlySet<ExecutionStatus>): TransactionStatus {
  if (items.has('ACSC')) return items.size === 1 ? 'ACSC' : 'PART';
  return hasOpenItem(items) ? 'ACCP' : 'RJCT';
}

/** Whether a run will try an item of a bulk payment with these statuses of items. */
export function hasOpenItem(items: ReadonlySet<ExecutionStatus>): boolean {
  return [...items].some(isOpenStatus);
}
