import { assert } from '../values/assert.ts';
import { bulkStatus, hasOpenItem } from './rules/bulk-status.ts';
import type { SettlementDecision } from '../settlement/rules/settlement.ts';
import { runId, type SettlementRun } from '../time/rules/settlement-run.ts';
import { canMove } from '../settlement/rules/transaction-status.ts';
import { addToBatch } from '../accounts/rows/batches.ts';
import { bulkProgress } from './rows/bulk-payments.ts';
import type { Writer } from '../ledger/database.ts';
import { updatePaymentStatuses } from './rows/payments.ts';
import { keepStatusChanges } from './change-status.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Adds the settled items of these decisions to their batches; returns the batch id of each bulk payment, by payment id. */
export async function batchesOf(
  tx: Writer,
  decisions: readonly SettlementDecision[],
  run: SettlementRun,
): Promise<Map<number, number>> {
  const settled = decisions.filter(({ execution, outcome }) => execution.isBulkItem && outcome === 'settle');
  const batches = new Map<number, number>();
  for (const [paymentId, items] of Map.groupBy(settled, ({ execution }) => execution.paymentId)) {
    const [first] = items;
    if (first === undefined) continue;
    const part = {
      paymentId,
      runAt: run.at,
      executionId: first.execution.id,
      transactions: items.length,
      amount: items.reduce((sum, { execution }) => sum + execution.amount, 0n),
    };
    batches.set(paymentId, await addToBatch(tx, part));
  }
  return batches;
}

/**
 * Updates the statuses of bulk payments from their items', after the run has processed all of them (rules.md S9b). The
 * history shows the end of one that is PART and stays so. `next` is the run after it, in which settled ones leave the
 * payment API (S6).
 */
export async function followBulkPayments(
  bank: BankContext,
  tx: Writer,
  run: SettlementRun,
  next: SettlementRun,
  touched: ReadonlySet<number>,
): Promise<void> {
  const changes = (await bulkProgress(tx, [...touched])).flatMap(({ paymentId, status: before, items }) => {
    const status = bulkStatus(items);
    const endsInPart = status === 'PART' && !hasOpenItem(items);
    if (status === before && !endsInPart) return [];
    assert(status === before || canMove(before, status), `a bulk payment moves from ${before} to ${status}`);
    return [{ paymentId, status, cause: `run ${runId(run)}${endsInPart ? ', last items final' : ''}` }];
  });
  await updatePaymentStatuses(tx, changes, next.at);
  await keepStatusChanges(bank, tx, changes, run.at);
}
