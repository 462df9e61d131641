import { assert } from '../values/assert.ts';
import { canMove } from '../values/transaction-status.ts';
import { runId } from '../time/rules/settlement-run.ts';
import type { RunUnderWay } from '../settlement/run-steps.ts';
import { bulkStatus, hasOpenPart } from './rules/payment-status.ts';
import { progressOf } from './rows/payment-executions.ts';
import { announceStatuses, saveStatuses } from './change-status.ts';

/**
 * Updates the statuses of bulk payments from their items', after the run has processed all of them (rules.md S9b). If a
 * payment stays PART, its history shows that it ended. `next` is the run after it, in which settled ones leave the
 * payment API (S6).
 */
export async function updateBulkStatuses(underWay: RunUnderWay, touched: ReadonlySet<number>): Promise<void> {
  const { tx, run, next } = underWay;
  const changes = (await progressOf(tx, [...touched])).flatMap(({ paymentId, status: before, parts }) => {
    const status = bulkStatus(parts);
    const endsInPart = status === 'PART' && !hasOpenPart(parts);
    if (status === before && !endsInPart) return [];
    assert(status === before || canMove(before, status), `a bulk payment moves from ${before} to ${status}`);
    return [{ paymentId, status, cause: `run ${runId(run)}${endsInPart ? ', last items final' : ''}` }];
  });
  await saveStatuses(underWay, changes, next.at);
  await announceStatuses(underWay, changes);
}
