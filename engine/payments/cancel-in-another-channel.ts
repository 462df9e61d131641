import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from './cancel-payments.ts';
import { findAnyPayment, requireStatus } from './find-payment.ts';

/** Cancels an ACSP payment as the PSU can in the bank's own channel, without a TPP (rules.md P14). Unknown: NOT_FOUND; another status: STATUS_INVALID. */
export async function cancelInAnotherChannel(bank: BankContext, paymentId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const payment = await findAnyPayment(tx, paymentId, now);
    requireStatus(payment, 'ACSP');
    const cause = 'cancelled in another channel';
    await cancelPayments(bank, tx, [payment], { at: now, cause, situation: cause });
  });
}
