import type { ForcedStatus } from './rules/forced-status.ts';
import { isFinal } from '../settlement/rules/transaction-status.ts';
import { updatePayment } from './rows/payments.ts';
import { keepStatusChanges } from './keep-status-changes.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { findAnyPayment } from './find-any-payment.ts';
import { NotAllowed } from '../bank/not-allowed.ts';

/**
 * Shows a status that the bank never gives by itself, until the payment's own one changes (rules.md S9b). What the bank
 * does with the payment stays as it is. A payment that is final: STATUS_INVALID (S7).
 */
export async function forceStatus(bank: BankContext, paymentId: string, status: ForcedStatus): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const payment = await findAnyPayment(tx, paymentId);
    if (isFinal(payment.status)) {
      const text = `The payment is ${payment.status}, which is final: nothing follows it.`;
      throw new NotAllowed({ code: 'STATUS_INVALID', text }, ['RCVD', 'PATC', 'ACSP', 'PDNG', 'ACCP', 'PART']);
    }
    await updatePayment(tx, payment.id, { forced_status: status });
    const change = { paymentId: payment.id, resourceId: payment.resource_id, status, cause: 'forced' };
    await keepStatusChanges(bank, tx, [change], await bankNow(bank, tx));
  });
}
