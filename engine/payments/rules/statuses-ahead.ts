import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';

type Ahead = { readonly [Status in TransactionStatus]?: readonly TransactionStatus[] };

const ahead: Readonly<Record<'payments' | 'periodic-payments' | 'bulk-payments', Ahead>> = {
  payments: {
    ACSP: ['ACCP', 'ACSC', 'RJCT'],
    PDNG: ['ACCP', 'ACSC', 'RJCT'],
    ACCP: ['ACSC', 'RJCT'],
  },
  'periodic-payments': { ACSP: ['ACSC'] },
  'bulk-payments': {
    ACSP: ['ACCP', 'PART', 'ACSC', 'RJCT'],
    PDNG: ['ACCP', 'PART', 'ACSC', 'RJCT'],
    ACCP: ['PART', 'ACSC', 'RJCT'],
    PART: ['ACSC'],
  },
};

/**
 * What settlement runs alone can still make of a payment (rules.md S4, S9b): nothing while it waits for a signature or
 * is final. A periodic payment is ACSP until it is ACSC (R9); a bulk payment is PART while some items have settled.
 */
export function statusesAhead(status: TransactionStatus, service: keyof typeof ahead): readonly TransactionStatus[] {
  return ahead[service][status] ?? [];
}
