import type { DueExecution } from './settlement.ts';

/** What the order of due executions compares, one after the other (rules.md S3); `dueExecutions` orders its rows by it too. */
export const settlementOrder = ['executionDate', 'authorisedAt', 'nominalDate', 'id'] as const;

/** The place of an execution in that order. */
export type SettlementPlace = Pick<DueExecution, (typeof settlementOrder)[number]>;

/** Compares two executions by {@link settlementOrder}, for a sort. */
export function bySettlementOrder(one: SettlementPlace, other: SettlementPlace): number {
  for (const part of settlementOrder) {
    if (one[part] !== other[part]) return one[part] < other[part] ? -1 : 1;
  }
  return 0;
}
