import { type Fault, Refusal, orRefusal } from '../values/fault.ts';
import { checkSca } from '../sca/rules/sca.ts';
import type { Reader } from '../ledger/database.ts';
import { paymentByKey, type Payment } from '../payments/rows/payments.ts';
import { paymentAt } from '../payments/rules/payment-status.ts';
import { findSca, type Sca, type ScaPurpose } from '../sca/rows/scas.ts';
import type { Reading, Writing } from '../bank/bank-context.ts';
import { signatureRefusal, requireSignable, type Signer, requireRightToPay } from '../payments/sign-payment.ts';
import { type TransactionStatus, awaitsSignature } from '../values/transaction-status.ts';
import { waitingInBasket, findOwnBasket, takesNoSignature } from './signing-baskets.ts';
import type { ActingCustomer, PsuContext } from '../parties/rows/customers.ts';
import { signablePayment, type SignablePayment } from '../payments/rows/signable-payments.ts';
import { contextsOf, type Acting } from '../parties/acting.ts';
import { beginSca, type ReturnAddress, type ScaWanted, type TppIdentity } from '../sca/sca.ts';
import { findOwnPayment, hasEnded, type PaymentPath } from '../payments/read-payment.ts';
import { identifyPsu, type IdentifiedPsu, type PsuReference } from '../parties/identify-psu.ts';
import { paymentsOfBasket } from './rows/signing-baskets.ts';

/**
 * Finds an SCA that can still be used. Unknown: SCA_NOT_FOUND; ended: SCA_INVALID; too old: SCA_EXPIRED (rules.md A2,
 * A4b).
 */
export async function usableSca(reading: Reading, scaId: string): Promise<Sca> {
  const sca = await findSca(reading.reader, { resourceId: scaId });
  if (sca === undefined) {
    const text = 'There is no such SCA. Follow the scaRedirect link of the answer as it is; a reset removes open ones.';
    throw new Refusal({ code: 'SCA_NOT_FOUND', text });
  }
  const { created_at_wall: createdAt, outcome, payment_id: paymentId } = sca;
  // The fault of an ended SCA names the present status of its payment.
  const ended = outcome === null || paymentId === null ? null : await paymentNow(reading, paymentId);
  const fault = checkSca({ createdAt, outcome, status: ended?.status ?? null }, reading.bank.security.now());
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
 * Why an SCA has nothing left to approve, or null if it has. Its payment or basket was meanwhile signed in another SCA,
 * deleted or rejected (rules.md P12, S2), or the payment to cancel is no longer ACSP.
 */
export async function closedSca(reading: Reading, sca: Sca): Promise<ClosedSca | null> {
  if (sca.purpose === 'basket') {
    const waiting = await orRefusal(waitingInBasket(reading, sca));
    return waiting instanceof Refusal ? { status: null, fault: waiting.faults[0] } : null;
  }
  if (sca.payment_id === null) return null;
  const { status } = await paymentNow(reading, sca.payment_id);
  const refusal = sca.purpose === 'cancellation' ? cancellationRefusal(status) : signatureRefusal(status);
  return refusal === null ? null : { status, fault: refusal.faults[0] };
}

async function paymentNow({ reader, now }: Reading, key: number): Promise<Payment> {
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
  reading: Reading,
  sca: Sca,
  actor: ActingCustomer,
): Promise<readonly [CheckedContext, ...CheckedContext[]]> {
  const { customer } = actor;
  const wanted = await paymentsOf(reading, sca, customer.id);
  const checked: CheckedContext[] = [];
  const refusals: Refusal[] = [];
  for (const acting of contextsOf(sca, actor)) {
    const payments: SignablePayment[] = [];
    const refused: Refusal[] = [];
    for (const payment of wanted) {
      const found = await orRefusal(requireApprovable(reading.reader, sca, { customer, acting }, payment));
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

async function paymentsOf(reading: Reading, sca: Sca, customerId: number): Promise<SignablePayment[]> {
  const ids =
    sca.purpose === 'basket'
      ? (await waitingInBasket(reading, sca)).map(({ id }) => id)
      : [sca.payment_id].filter((id) => id !== null);
  const payments: SignablePayment[] = [];
  for (const id of ids) payments.push(await signablePayment(reading, id, customerId));
  return payments;
}

/** Refuses a payment that a PSU cannot approve in a context. */
async function requireApprovable(reader: Reader, sca: Sca, signer: Signer, payment: SignablePayment): Promise<void> {
  await requireRightToPay(reader, signer, payment);
  if (sca.purpose !== 'cancellation') requireSignable(payment, sca.basket_id);
}

/**
 * The first refusal other than FORBIDDEN: the PSU can pay in that context, so FORBIDDEN in another one is no reason.
 */
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

export interface StartAuthorisation {
  readonly purpose: Extract<ScaPurpose, 'payment' | 'cancellation'>;
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
  /** From the request; null takes the initiation's (rules.md A4b). */
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
  /** PSU-Context, which the page preselects. */
  readonly context?: PsuContext | null;
}

/**
 * Opens an SCA for a payment or its cancellation and returns its id (rules.md A1). STATUS_INVALID (P12): the payment
 * takes no signature, this PSU has signed it, no cancellation was requested, or the payment is due by now (S2b).
 * RESOURCE_BLOCKED: it is in a signing basket.
 */
export async function startAuthorisationIn(writing: Writing, command: StartAuthorisation): Promise<string> {
  const { tx } = writing;
  const identified = await identifyPsu(tx, command.tpp.id, command.psu);
  const { customer } = identified;
  const payment = await findOwnPayment(writing, command.tpp.id, command.path, customer);
  const signable = await signablePayment(writing, payment.id, customer?.id ?? null);
  if (command.purpose === 'payment') requireSignable(signable, null);
  else await requireCancellable(tx, payment);
  const signer = awaitedSigner(command, signable, identified);
  const returnTo: ReturnAddress = {
    redirectUri: command.redirectUri ?? payment.tpp_redirect_uri,
    sessionId: command.sessionId ?? payment.tpp_session_id,
  };
  const { purpose, tpp } = command;
  return beginSca(writing, { purpose, payment, tpp, returnTo, ...signer });
}

/**
 * The PSU who is to sign: the PSU of the request, else the one who initiated the payment. When the account requires
 * several signatures and the request names no PSU, any PSU who may sign: null (interface: Multiple signatures).
 */
function awaitedSigner(
  { context = null }: StartAuthorisation,
  payment: SignablePayment,
  { customer, agreement }: IdentifiedPsu,
): Pick<ScaWanted, 'customerId' | 'context' | 'agreementId'> {
  const customerId = customer?.id ?? (payment.signatures_required === 1 ? payment.customer_id : null);
  const ofInitiation = customerId === payment.customer_id ? payment.agreement_id : null;
  return {
    customerId,
    context: agreement === null ? context : 'CORPORATE',
    agreementId: agreement?.id ?? ofInitiation,
  };
}

async function requireCancellable(reader: Reader, payment: Payment): Promise<void> {
  const text = await whyNotCancellable(reader, payment);
  if (text !== null) throw new Refusal({ code: 'STATUS_INVALID', text });
}

async function whyNotCancellable(reader: Reader, payment: Payment): Promise<string | null> {
  const { status, cancellation_requested_at: requestedAt } = payment;
  if (await hasEnded(reader, payment)) return `The payment is ${status}: there is nothing to cancel.`;
  if (requestedAt === null) return 'No cancellation of this payment was asked for. DELETE the payment first.';
  return status === 'ACSP' ? null : `The payment is ${status} by now and can no longer be cancelled.`;
}

/** `redirectUri` and `sessionId`: from the request; null takes the basket's (rules.md A4b). */
interface AuthoriseSigningBasket extends Pick<StartAuthorisation, 'tpp' | 'psu' | 'redirectUri' | 'sessionId'> {
  readonly basketId: string;
}

/**
 * Opens an SCA that signs the payments of a basket and returns its id (interface: Endpoints, rule 5). STATUS_INVALID if
 * the basket is signed, or no payment in it needs a signature. Unknown: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED.
 */
export async function authoriseSigningBasketIn(writing: Writing, command: AuthoriseSigningBasket): Promise<string> {
  const { tpp, psu, basketId } = command;
  const basket = await findOwnBasket(writing, { tppId: tpp.id, psu, basketId });
  const payments = await paymentsOfBasket(writing.tx, basket.id, writing.now);
  const isOpen = basket.signed_at === null && payments.some(({ status }) => awaitsSignature(status));
  if (!isOpen) throw takesNoSignature();
  const returnTo = {
    redirectUri: command.redirectUri ?? basket.tpp_redirect_uri,
    sessionId: command.sessionId ?? basket.tpp_session_id,
  };
  const { id, customer_id: customerId } = basket;
  const signer = { customerId, context: null };
  return beginSca(writing, { purpose: 'basket', payment: null, basketId: id, tpp, returnTo, ...signer });
}
