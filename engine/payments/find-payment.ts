import { clip } from '../values/text.ts';
import { NotAllowed, Refusal } from '../values/fault.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import { mayRegister, type Customer } from '../parties/rows/customers.ts';
import type { BankTime } from '../bank/bank-context.ts';
import type { Instant } from '../values/instant.ts';
import { paymentAt } from './rules/payment-status.ts';
import type { Reader } from '../ledger/database.ts';
import { findPayment, type Payment } from './rows/payments.ts';
import { isFinal, type TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { withExecutions } from '../settlement/rows/executions.ts';

/** The path parameters that identify a payment; the interface's short forms have neither service nor product (rules.md P2). */
export interface PaymentPath {
  readonly paymentId: string;
  readonly service?: string;
  readonly product?: string;
}

/**
 * Finds the payment of a path for its TPP, and for its PSU or another PSU who can sign it (rules.md G8), as it reads at this time
 * (S2b). `customer` is null when the request names no PSU. RESOURCE_UNKNOWN if there is no such payment, or it was booked and has
 * left the payment API (S6).
 */
export async function findOwnPayment(
  reader: Reader,
  tppId: string,
  path: PaymentPath,
  { customer, time }: { readonly customer: Customer | null; readonly time: Pick<BankTime, 'now'> },
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
  if (payment.leaves_at !== null && payment.leaves_at <= time.now) {
    const text =
      payment.service === 'periodic-payments'
        ? 'The standing order has ended and has left the payment API. What it paid are transactions of its accounts.'
        : 'The payment is booked and has left the payment API. Read it as a transaction of its accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  return paymentAt(payment, time.now);
}

/**
 * Whether a PSU may sign a payment: the PSU who initiated it and, when the debtor account requires several signatures,
 * every PSU with REGISTER on that account (interface: Multiple signatures).
 */
export async function maySign(reader: Reader, customerId: number, payment: Payment): Promise<boolean> {
  if (payment.customer_id === customerId) return true;
  const { signatures_required: required } = await accountByKey(reader, payment.debtor_account_id);
  return required > 1 && (await mayRegister(reader, { customerId, accountId: payment.debtor_account_id }));
}

/** Finds a payment of any TPP and PSU, for the control plane, as it reads at `now`. Unknown: NOT_FOUND. */
export async function findAnyPayment(reader: Reader, paymentId: string, now: Instant): Promise<Payment> {
  const payment = await findPayment(reader, paymentId);
  if (payment !== undefined) return paymentAt(payment, now);
  const text =
    `There is no payment ${clip(paymentId)}. Percent-encode the id where your client does not; ` +
    'a reset removes all payments.';
  throw new Refusal({ code: 'NOT_FOUND', text });
}

/** Whether a payment can change no more: its status is final, or it is PART and no item is open (rules.md S7, S9b). */
export async function hasEnded(reader: Reader, { id, status }: Pick<Payment, 'id' | 'status'>): Promise<boolean> {
  if (status !== 'PART') return isFinal(status);
  return !(await withExecutions(reader, 'open', [id])).has(id);
}

/** STATUS_INVALID for a payment that has ended: nothing follows. */
export async function requireNotEnded(reader: Reader, payment: Payment): Promise<void> {
  if (!(await hasEnded(reader, payment))) return;
  const isPart = payment.status === 'PART';
  const text = isPart
    ? 'The payment is PART and no item of it is open, so nothing follows.'
    : `The payment is ${payment.status}, which is final: nothing follows it.`;
  const open: TransactionStatus[] = ['RCVD', 'PATC', 'ACSP', 'PDNG', 'ACCP'];
  throw new NotAllowed({ code: 'STATUS_INVALID', text }, isPart ? open : [...open, 'PART']);
}

/** STATUS_INVALID unless the payment has this status; another channel acts on ACSP payments only (rules.md P14). */
export function requireStatus(payment: Payment, status: TransactionStatus): void {
  if (payment.status === status) return;
  const text = `The payment is ${payment.status}, and another channel acts on one that is ${status} only.`;
  throw new NotAllowed({ code: 'STATUS_INVALID', text }, [status]);
}
