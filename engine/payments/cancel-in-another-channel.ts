import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from './cancel-payments.ts';
import { findAnyPayment, requireStatus } from './find-payment.ts';

/** Cancels an ACSP payment as the PSU can in the bank's own channel, without a TPP (rules.md P14). Unknown: NOT_FOUND; another status: STATUS_INVALID. */
export async function cancelInAnotherChannel(bank: BankContext, paymentId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const payment = await findAnyPayment(tx, paymentId);
    requireStatus(payment, 'ACSP');
    await cancelPayments(bank, tx, [payment], { at: await bankNow(bank, tx), cause: 'cancelled in another channel' });
  });
}
