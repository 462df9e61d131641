import { assert } from '../values/assert.ts';
import { bulkStatus, hasOpenItem } from './rules/bulk-status.ts';
import { runId } from '../time/rules/settlement-run.ts';
import type { Runs } from '../settlement/settle-due.ts';
import { canMove } from '../settlement/rules/transaction-status.ts';
import { bulkProgress } from './rows/bulk-payments.ts';
import type { Writer } from '../ledger/database.ts';
import { changeStatuses } from './change-status.ts';
import type { BankContext } from '../bank/bank-context.ts';

/**
 * Updates the statuses of bulk payments from their items', after the run has processed all of them (rules.md S9b). The
 * history shows the end of one that is PART and stays so. `next` is the run after it, in which settled ones leave the
 * payment API (S6).
 */
export async function followBulkPayments(
  bank: BankContext,
  tx: Writer,
  { run, next }: Runs,
  touched: ReadonlySet<number>,
): Promise<void> {
  const changes = (await bulkProgress(tx, [...touched])).flatMap(({ paymentId, status: before, items }) => {
    const status = bulkStatus(items);
    const endsInPart = status === 'PART' && !hasOpenItem(items);
    if (status === before && !endsInPart) return [];
    assert(status === before || canMove(before, status), `a bulk payment moves from ${before} to ${status}`);
    return [{ paymentId, status, cause: `run ${runId(run)}${endsInPart ? ', last items final' : ''}` }];
  });
  await changeStatuses(bank, tx, changes, { at: run.at, leavesAt: next.at });
}
