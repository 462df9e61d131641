import { Refusal } from '../values/fault.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import type { Payment } from '../payments/rows/payments.ts';
import { signablePayment, type SignablePayment } from '../payments/rows/signable-payments.ts';
import type { ScaPurpose } from '../sca/rows/scas.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import { type BankContext, presentIn } from '../bank/bank-context.ts';
import { beginSca, type ReturnAddress, type ScaWanted, type TppIdentity } from '../sca/sca.ts';
import { findOwnPayment, hasEnded, type PaymentPath } from '../payments/read-payment.ts';
import { identifyPsu, type IdentifiedPsu, type PsuReference } from '../parties/identify-psu.ts';
import { requireSignable } from '../payments/sign-payment.ts';
import { awaitsSignature } from '../settlement/rules/transaction-status.ts';
import { paymentsOfBasket } from './rows/signing-baskets.ts';
import { findOwnBasket, takesNoSignature } from './signing-baskets.ts';

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
 * Opens an SCA for a payment or its cancellation and returns its id (rules.md A1). STATUS_INVALID (P12): the payment takes
 * no signature, this PSU has signed it, no cancellation was requested, or the payment is due by now (S2b). RESOURCE_BLOCKED:
 * it is in a signing basket.
 */
export async function startAuthorisationIn(
  bank: BankContext,
  tx: Writer,
  command: StartAuthorisation,
): Promise<string> {
  const present = await presentIn(bank, tx);
  const identified = await identifyPsu(tx, command.tpp.id, command.psu);
  const { customer } = identified;
  const payment = await findOwnPayment(present, command.tpp.id, command.path, customer);
  const signable = await signablePayment(present, payment.id, customer?.id ?? null);
  if (command.purpose === 'payment') requireSignable(signable, null);
  else await requireCancellable(tx, payment);
  const signer = awaitedSigner(command, signable, identified);
  const returnTo: ReturnAddress = {
    redirectUri: command.redirectUri ?? payment.tpp_redirect_uri,
    sessionId: command.sessionId ?? payment.tpp_session_id,
  };
  const { purpose, tpp } = command;
  return beginSca(present, { purpose, payment, tpp, returnTo, ...signer });
}

/**
 * The PSU who is to sign: the PSU of the request, else the one who initiated the payment. When the account requires several
 * signatures and the request names no PSU, any PSU who may sign: null (interface: Multiple signatures).
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
 * Opens an SCA that signs the payments of a basket and returns its id (interface: Endpoints, rule 5). STATUS_INVALID if the basket is
 * signed, or no payment in it needs a signature. Unknown: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED.
 */
export async function authoriseSigningBasketIn(
  bank: BankContext,
  tx: Writer,
  command: AuthoriseSigningBasket,
): Promise<string> {
  const present = await presentIn(bank, tx);
  const { tpp, psu, basketId } = command;
  const basket = await findOwnBasket(present, { tppId: tpp.id, psu, basketId });
  const payments = await paymentsOfBasket(tx, basket.id, present.now);
  const isOpen = basket.signed_at === null && payments.some(({ status }) => awaitsSignature(status));
  if (!isOpen) throw takesNoSignature();
  const returnTo = {
    redirectUri: command.redirectUri ?? basket.tpp_redirect_uri,
    sessionId: command.sessionId ?? basket.tpp_session_id,
  };
  const { id, customer_id: customerId } = basket;
  const signer = { customerId, context: null };
  return beginSca(present, { purpose: 'basket', payment: null, basketId: id, tpp, returnTo, ...signer });
}
