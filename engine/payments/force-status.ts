import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { forcedCause } from './rules/due-day.ts';
import { updatePayment } from './rows/payments.ts';
import { keepStatusChanges } from './change-status.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { findAnyPayment, requireNotEnded } from './find-payment.ts';

/** Statuses of the interface that this bank never sets; the control plane can force one (rules.md S9b). */
export const forcedStatuses = ['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'] as const satisfies readonly TransactionStatus[];

export type ForcedStatus = (typeof forcedStatuses)[number];

export function isForcedStatus(text: string): text is ForcedStatus {
  return forcedStatuses.some((status) => status === text);
}

/**
 * Shows this status to the TPP instead of the payment's own, until the own one changes (rules.md S9b). The bank processes
 * the payment as before. A final payment: STATUS_INVALID (S7).
 */
export async function forceStatus(bank: BankContext, paymentId: string, status: ForcedStatus): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const payment = await findAnyPayment(tx, paymentId, now);
    await requireNotEnded(tx, payment);
    await updatePayment(tx, payment.id, { forced_status: status, forced_at: now });
    const change = { paymentId: payment.id, payment, status, cause: forcedCause };
    await keepStatusChanges(bank, tx, [change], now);
  });
}
