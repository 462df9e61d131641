import { Refusal } from '../../core/fault.ts';
import type { Instant } from '../../core/instant.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Payment } from '../../ledger/payments.ts';
import type { Sca } from '../../ledger/scas.ts';
import type { BankContext } from './bank-context.ts';
import { paymentToSign, type PaymentToSign } from './payment-to-sign.ts';
import { waitingInBasket } from './sign-basket.ts';

/**
 * The payments of a basket that this PSU would sign now. What `maySign` refuses is not shown, and not signed either; when
 * it refuses every one, its first refusal is thrown.
 */
export async function basketToSign(
  bank: BankContext,
  reader: Reader,
  sca: Sca,
  now: Instant,
  maySign: (payment: Payment) => Promise<void>,
): Promise<PaymentToSign[]> {
  const found: PaymentToSign[] = [];
  const refusals: Refusal[] = [];
  for (const payment of await waitingInBasket(reader, sca, now)) {
    try {
      await maySign(payment);
      found.push(await paymentToSign(bank, reader, payment, now));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  if (found.length === 0 && refusals[0] !== undefined) throw refusals[0];
  return found;
}
