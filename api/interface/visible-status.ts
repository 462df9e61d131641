import type { TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import type { Payment } from '../../engine/payments/rows/payments.ts';

/** The status that a TPP reads: the payment's own, or the one that the control plane forced (rules.md S9b). */
export function visibleStatus(payment: Pick<Payment, 'status' | 'forced_status'>): TransactionStatus {
  return payment.forced_status ?? payment.status;
}
