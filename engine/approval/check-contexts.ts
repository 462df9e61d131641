import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { ActingCustomer } from '../parties/rows/agreements.ts';
import type { Reader } from '../ledger/database.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { signablePayment, type SignablePayment } from '../payments/rows/signable-payments.ts';
import { contextsOf, type Acting } from '../parties/acting.ts';
import { requireSignable } from '../payments/require-signable.ts';
import { waitingInBasket } from './sign-basket.ts';
import type { Signer } from '../payments/sign-payment.ts';
import { requireRightToPay } from '../payments/signer.ts';

/** A context in which a PSU has something to approve. */
export interface CheckedContext {
  readonly acting: Acting;
  /** What it would sign, or cancel; of a basket those that it may. Empty where the SCA is about no payment. */
  readonly payments: readonly SignablePayment[];
}

/**
 * The contexts in which the PSU of an SCA has something to approve: one at least. A context in which the PSU is refused is
 * none; when there is no other, that refusal is thrown: FORBIDDEN, STATUS_INVALID, RESOURCE_BLOCKED (rules.md A4, P12).
 */
export async function checkContexts(
  reader: Reader,
  { sca, actor, now }: { readonly sca: Sca; readonly actor: ActingCustomer; readonly now: Instant },
): Promise<readonly [CheckedContext, ...CheckedContext[]]> {
  const { customer } = actor;
  const wanted = await paymentsOf(reader, sca, customer.id, now);
  const judged: CheckedContext[] = [];
  const refusals: Refusal[] = [];
  for (const acting of contextsOf(sca, actor)) {
    const payments: SignablePayment[] = [];
    const refused: Refusal[] = [];
    for (const payment of wanted) {
      const refusal = await refusalOf(reader, sca, { customer, acting }, payment);
      if (refusal === null) payments.push(payment);
      else refused.push(refusal);
    }
    if (payments.length > 0 || wanted.length === 0) judged.push({ acting, payments });
    else refusals.push(...refused.slice(0, 1));
  }
  const [first, ...others] = judged;
  if (first === undefined) throw tellingRefusal(refusals) ?? noContext();
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

/** Why a PSU may not approve a payment in a context; null: it may. */
async function refusalOf(
  reader: Reader,
  sca: Sca,
  { customer, acting }: Signer,
  payment: SignablePayment,
): Promise<Refusal | null> {
  try {
    await requireRightToPay(reader, customer, acting, payment);
    if (sca.purpose !== 'cancellation') requireSignable(payment, sca.basket_id);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** That a PSU reaches an account in one context says why the other, where it does not, is of no interest. */
function tellingRefusal(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.find(({ faults: [fault] }) => fault.code !== 'FORBIDDEN') ?? refusals[0];
}

/** The agreement that the request named has ended since, or is not this PSU's. */
function noContext(): Refusal {
  const text = 'The PSU cannot act under the agreement that the request named in PSU-Corporate-ID.';
  return new Refusal({ code: 'CORPORATE_ID_INVALID', text });
}
