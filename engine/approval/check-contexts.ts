import { orRefusal, Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { ActingCustomer } from '../parties/rows/agreements.ts';
import type { Reader } from '../ledger/database.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { signablePayment, type SignablePayment } from '../payments/rows/signable-payments.ts';
import { contextsOf, type Acting } from '../parties/acting.ts';
import { requireSignable, type Signer, requireRightToPay } from '../payments/sign-payment.ts';
import { waitingInBasket } from './read-signing-basket.ts';

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
  reader: Reader,
  { sca, actor, now }: { readonly sca: Sca; readonly actor: ActingCustomer; readonly now: Instant },
): Promise<readonly [CheckedContext, ...CheckedContext[]]> {
  const { customer } = actor;
  const wanted = await paymentsOf(reader, sca, customer.id, now);
  const checked: CheckedContext[] = [];
  const refusals: Refusal[] = [];
  for (const acting of contextsOf(sca, actor)) {
    const payments: SignablePayment[] = [];
    const refused: Refusal[] = [];
    for (const payment of wanted) {
      const found = await orRefusal(requireApprovable(reader, sca, { customer, acting }, payment));
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

async function paymentsOf(reader: Reader, sca: Sca, customerId: number, now: Instant): Promise<SignablePayment[]> {
  const ids =
    sca.purpose === 'basket'
      ? (await waitingInBasket(reader, sca, now)).map(({ id }) => id)
      : [sca.payment_id].filter((id) => id !== null);
  const payments: SignablePayment[] = [];
  for (const id of ids) payments.push(await signablePayment(reader, id, { customerId, now }));
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
