import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/** Statuses of the interface that this bank never gives by itself; the control plane can show one (rules.md S9b). */
export const forcedStatuses = ['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'] as const satisfies readonly TransactionStatus[];

export type ForcedStatus = (typeof forcedStatuses)[number];

export function isForcedStatus(text: string): text is ForcedStatus {
  return forcedStatuses.some((status) => status === text);
}
