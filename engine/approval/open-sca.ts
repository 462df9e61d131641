import { type Fault, Refusal, orRefusal } from '../values/fault.ts';
import { checkSca } from '../sca/rules/sca.ts';
import type { Reader } from '../ledger/database.ts';
import { paymentByKey, type Payment } from '../payments/rows/payments.ts';
import { paymentAt } from '../payments/rules/payment-status.ts';
import { findSca, type Sca } from '../sca/rows/scas.ts';
import type { Moment } from '../bank/bank-context.ts';
import { signatureRefusal, requireSignable, type Signer, requireRightToPay } from '../payments/sign-payment.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { waitingInBasket } from './signing-baskets.ts';
import type { ActingCustomer } from '../parties/rows/customers.ts';
import { signablePayment, type SignablePayment } from '../payments/rows/signable-payments.ts';
import { contextsOf, type Acting } from '../parties/acting.ts';

/** Finds an SCA that can still be used. Unknown: SCA_NOT_FOUND; ended: SCA_INVALID; too old: SCA_EXPIRED (rules.md A2, A4b). */
export async function openSca(present: Moment, scaId: string): Promise<Sca> {
  const sca = await findSca(present.reader, scaId);
  if (sca === undefined) {
    const text = 'There is no such SCA. Follow the scaRedirect link of the answer as it is; a reset removes open ones.';
    throw new Refusal({ code: 'SCA_NOT_FOUND', text });
  }
  const { created_at_wall: createdAt, outcome, payment_id: paymentId } = sca;
  // The fault of an ended SCA names the present status of its payment.
  const ended = outcome === null || paymentId === null ? null : await paymentNow(present, paymentId);
  const fault = checkSca({ createdAt, outcome, status: ended?.status ?? null }, present.bank.wall.now());
  if (fault !== null) throw new Refusal(fault);
  return sca;
}

/** Why nothing is left to approve. */
export interface ClosedSca {
  /** The payment's status; null for a signing basket. */
  readonly status: TransactionStatus | null;
  /** The fault with which the SCA fails. */
  readonly fault: Fault;
}

/**
 * Why an SCA has nothing left to approve, or null: its payment or basket was meanwhile signed in another SCA, deleted or
 * rejected (rules.md P12, S2), or the payment to cancel is no longer ACSP.
 */
export async function closedSca(present: Moment, sca: Sca): Promise<ClosedSca | null> {
  if (sca.purpose === 'basket') {
    const waiting = await orRefusal(waitingInBasket(present, sca));
    return waiting instanceof Refusal ? { status: null, fault: waiting.faults[0] } : null;
  }
  if (sca.payment_id === null) return null;
  const { status } = await paymentNow(present, sca.payment_id);
  const refusal = sca.purpose === 'cancellation' ? cancellationRefusal(status) : signatureRefusal(status);
  return refusal === null ? null : { status, fault: refusal.faults[0] };
}

async function paymentNow({ reader, now }: Moment, key: number): Promise<Payment> {
  return paymentAt(await paymentByKey(reader, key), now);
}

/** CANCELLATION_INVALID for a payment that is not ACSP, or is due by now, else null (rules.md P12, S2b). */
export function cancellationRefusal(status: TransactionStatus): Refusal | null {
  if (status === 'ACSP') return null;
  const text = `The payment is ${status} by now and can no longer be cancelled.`;
  return new Refusal({ code: 'CANCELLATION_INVALID', text });
}

/** A context in which the PSU can approve something. */
export interface CheckedContext {
  readonly acting: Acting;
  /** The payments to sign or cancel; in a basket those that this PSU may sign. Empty if the SCA concerns no payment. */
  readonly payments: readonly SignablePayment[];
}

/**
 * The contexts in which the PSU of an SCA can approve something, at least one; contexts in which it is refused are left
 * out. When none remains, throws one of their refusals: FORBIDDEN, STATUS_INVALID, RESOURCE_BLOCKED (rules.md A4, P12).
 */
export async function checkContexts(
  present: Moment,
  sca: Sca,
  actor: ActingCustomer,
): Promise<readonly [CheckedContext, ...CheckedContext[]]> {
  const { customer } = actor;
  const wanted = await paymentsOf(present, sca, customer.id);
  const checked: CheckedContext[] = [];
  const refusals: Refusal[] = [];
  for (const acting of contextsOf(sca, actor)) {
    const payments: SignablePayment[] = [];
    const refused: Refusal[] = [];
    for (const payment of wanted) {
      const found = await orRefusal(requireApprovable(present.reader, sca, { customer, acting }, payment));
      if (found instanceof Refusal) refused.push(found);
      else payments.push(payment);
    }
    if (payments.length > 0 || wanted.length === 0) checked.push({ acting, payments });
    else refusals.push(...refused.slice(0, 1));
  }
  const [first, ...others] = checked;
  if (first === undefined) throw mainRefusal(refusals) ?? noContext(sca);
  return [first, ...others];
}

async function paymentsOf(present: Moment, sca: Sca, customerId: number): Promise<SignablePayment[]> {
  const ids =
    sca.purpose === 'basket'
      ? (await waitingInBasket(present, sca)).map(({ id }) => id)
      : [sca.payment_id].filter((id) => id !== null);
  const payments: SignablePayment[] = [];
  for (const id of ids) payments.push(await signablePayment(present, id, customerId));
  return payments;
}

/** Refuses a payment that a PSU cannot approve in a context. */
async function requireApprovable(
  reader: Reader,
  sca: Sca,
  { customer, acting }: Signer,
  payment: SignablePayment,
): Promise<void> {
  await requireRightToPay(reader, customer, acting, payment);
  if (sca.purpose !== 'cancellation') requireSignable(payment, sca.basket_id);
}

/** The first refusal other than FORBIDDEN: the PSU can pay in that context, so FORBIDDEN in another one is no reason. */
function mainRefusal(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.find(({ faults: [fault] }) => fault.code !== 'FORBIDDEN') ?? refusals[0];
}

/** The PSU cannot act in the context or under the agreement that the request named; the agreement may be deleted. */
function noContext({ context, agreement_id: agreementId }: Sca): Refusal {
  const text =
    agreementId === null
      ? `The PSU has no context ${context}, the only one for this SCA: the request named it in PSU-Context.`
      : 'The PSU cannot act under the agreement that the request named in PSU-Corporate-ID.';
  return new Refusal({ code: 'CORPORATE_ID_INVALID', text });
}
