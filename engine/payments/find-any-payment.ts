import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { Reader } from '../ledger/database.ts';
import { findPayment, type Payment } from './rows/payments.ts';
import { NotAllowed } from '../bank/not-allowed.ts';

/** A payment of any TPP and PSU, for the bank's own people. Unknown: NOT_FOUND. */
export async function findAnyPayment(reader: Reader, paymentId: string): Promise<Payment> {
  const payment = await findPayment(reader, paymentId);
  if (payment !== undefined) return payment;
  const text =
    `There is no payment ${clip(paymentId)}. Percent-encode the id where your client does not; ` +
    'a reset removes all payments.';
  throw new Refusal({ code: 'NOT_FOUND', text });
}

/** Another channel acts on payments that are signed and wait for their day alone: STATUS_INVALID (rules.md P14). */
export function requireStatus(payment: Payment, status: TransactionStatus): void {
  if (payment.status === status) return;
  const text = `The payment is ${payment.status}, and another channel acts on one that is ${status} only.`;
  throw new NotAllowed({ code: 'STATUS_INVALID', text }, [status]);
}
