import { isOpenStatus, type ExecutionStatus } from '../../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/**
 * The status of a bulk payment after a run that tried items of it, from the statuses of all items (rules.md S9b). PART:
 * some have settled, others are open. ACSC: none is open and at least one has settled. RJCT: all were rejected. ACCP:
 * none has settled and some are open, as funds were lacking.
 */
export function bulkStatus(items: ReadonlySet<ExecutionStatus>): TransactionStatus {
  const isOpen = [...items].some(isOpenStatus);
  if (items.has('ACSC')) return isOpen ? 'PART' : 'ACSC';
  return isOpen ? 'ACCP' : 'RJCT';
}
