import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from './cancel-payments.ts';
import { findAnyPayment, requireStatus } from './find-payment.ts';

/** Cancels a payment that is ACSP, as the PSU would in the bank's own channel: no TPP has part in it (rules.md P14). */
export async function cancelInAnotherChannel(bank: BankContext, paymentId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const payment = await findAnyPayment(tx, paymentId);
    requireStatus(payment, 'ACSP');
    await cancelPayments(bank, tx, [payment], { at: await bankNow(bank, tx), cause: 'cancelled in another channel' });
  });
}
