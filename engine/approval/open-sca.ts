import { type Fault, Refusal, orRefusal } from '../values/fault.ts';
import { checkSca } from '../sca/rules/sca.ts';
import type { Reader } from '../ledger/database.ts';
import { paymentByKey, type Payment } from '../payments/rows/payments.ts';
import { paymentAt } from '../payments/rules/due-day.ts';
import { findSca, type Sca } from '../sca/rows/scas.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { signatureRefusal } from '../payments/sign-payment.ts';
import type { Instant } from '../values/instant.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { waitingInBasket } from './read-signing-basket.ts';

/** Finds an SCA that can still be used. Unknown: SCA_NOT_FOUND; ended: SCA_INVALID; too old: SCA_EXPIRED (rules.md A2, A4b). */
export async function openSca(bank: BankContext, reader: Reader, scaId: string): Promise<Sca> {
  const sca = await findSca(reader, scaId);
  if (sca === undefined) {
    const text = 'There is no such SCA. Follow the scaRedirect link of the answer as it is; a reset removes open ones.';
    throw new Refusal({ code: 'SCA_NOT_FOUND', text });
  }
  const { created_at_wall: createdAt, outcome, payment_id: paymentId } = sca;
  // The fault of an ended SCA names the present status of its payment.
  const ended =
    outcome === null || paymentId === null ? null : await paymentNow(reader, paymentId, await bankNow(bank, reader));
  const fault = checkSca({ createdAt, outcome, status: ended?.status ?? null }, bank.wall.now());
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
export async function closedSca(reader: Reader, sca: Sca, now: Instant): Promise<ClosedSca | null> {
  if (sca.purpose === 'basket') return closedBasket(reader, sca, now);
  if (sca.payment_id === null) return null;
  const { status } = await paymentNow(reader, sca.payment_id, now);
  const refusal = sca.purpose === 'cancellation' ? cancellationRefusal(status) : signatureRefusal(status);
  return refusal === null ? null : { status, fault: refusal.faults[0] };
}

async function paymentNow(reader: Reader, key: number, now: Instant): Promise<Payment> {
  return paymentAt(await paymentByKey(reader, key), now);
}

async function closedBasket(reader: Reader, sca: Sca, now: Instant): Promise<ClosedSca | null> {
  const waiting = await orRefusal(waitingInBasket(reader, sca, now));
  return waiting instanceof Refusal ? { status: null, fault: waiting.faults[0] } : null;
}

/** CANCELLATION_INVALID for a payment that is not ACSP, or is due by now, else null (rules.md P12, S2b). */
export function cancellationRefusal(status: TransactionStatus): Refusal | null {
  if (status === 'ACSP') return null;
  const text = `The payment is ${status} by now and can no longer be cancelled.`;
  return new Refusal({ code: 'CANCELLATION_INVALID', text });
}
