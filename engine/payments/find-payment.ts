import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import { mayRegister } from '../parties/rows/engagements.ts';
import { bankState } from '../bank/rows/bank-state.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { findPayment, type Payment } from './rows/payments.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { NotAllowed } from '../bank/not-allowed.ts';

/** Where a request says the payment is; the short forms of the interface name neither service nor product (rules.md P2). */
export interface PaymentPath {
  readonly paymentId: string;
  readonly service?: string;
  readonly product?: string;
}

/**
 * The payment of a path, for the TPP and PSU it belongs to (rules.md G8), and for whoever else can sign it. Unknown to them, or booked and gone (S6):
 * RESOURCE_UNKNOWN. `customer` is null when the request names no PSU.
 */
export async function findOwnPayment(
  reader: Reader,
  tppId: string,
  path: PaymentPath,
  customer: Customer | null,
): Promise<Payment> {
  const payment = await findPayment(reader, path.paymentId);
  const isThere =
    payment !== undefined &&
    payment.tpp_id === tppId &&
    (customer === null || (await maySign(reader, customer.id, payment))) &&
    (path.service ?? payment.service) === payment.service &&
    (path.product ?? payment.product) === payment.product;
  if (!isThere) {
    const text = `This TPP and PSU have no payment ${clip(path.paymentId)} here. Check the id, the service and the product.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  const { last_run_at: lastRunAt } = await bankState(reader);
  if (payment.settled_at !== null && payment.settled_at < lastRunAt) {
    const text =
      payment.service === 'periodic-payments'
        ? 'The standing order has ended and has left the payment API. What it paid are transactions of its accounts.'
        : 'The payment is booked and has left the payment API. Read it as a transaction of its accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  return payment;
}

/**
 * Whether a payment is a PSU's to sign: who initiated it, and, from an account that asks for several signatures, every PSU
 * with REGISTER on it (interface: Multiple signatures).
 */
export async function maySign(reader: Reader, customerId: number, payment: Payment): Promise<boolean> {
  if (payment.customer_id === customerId) return true;
  const { signatures_required: required } = await accountByKey(reader, payment.debtor_account_id);
  return required > 1 && (await mayRegister(reader, customerId, payment.debtor_account_id));
}

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
