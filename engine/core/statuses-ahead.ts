import type { TransactionStatus } from './transaction-status.ts';

const single: { readonly [Status in TransactionStatus]?: readonly TransactionStatus[] } = {
  ACSP: ['ACCP', 'ACSC', 'RJCT'],
  PDNG: ['ACCP', 'ACSC', 'RJCT'],
  ACCP: ['ACSC', 'RJCT'],
};

/**
 * What settlement runs alone can still make of a payment (rules.md S4, S9b): nothing while it waits for a signature or
 * is final. A periodic payment is ACSP until it is ACSC (R9).
 */
export function statusesAhead(status: TransactionStatus, isPeriodic: boolean): readonly TransactionStatus[] {
  if (isPeriodic) return status === 'ACSP' ? ['ACSC'] : [];
  return single[status] ?? [];
}
