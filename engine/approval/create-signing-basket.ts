import { shownPayments } from '../payments/read-payment.ts';
import { assert } from '../values/assert.ts';
import { checkBasketChoice, type BasketCandidate } from './rules/basket.ts';
import { addDuration } from '../values/duration.ts';
import { Refusal, type Fault, orRefusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Writer } from '../ledger/database.ts';
import type { Payment } from '../payments/rows/payments.ts';
import { insertSigningBasket } from './rows/signing-baskets.ts';
import { openBasketOf } from '../payments/rows/signable-payments.ts';
import { bankTime, type BankContext, type BankTime } from '../bank/bank-context.ts';
import type { ReturnAddress, TppIdentity } from '../sca/sca.ts';
import { findOwnPayment, maySign } from '../payments/find-payment.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import type { BasketView } from './read-signing-basket.ts';

interface CreateSigningBasket {
  readonly tpp: TppIdentity;
  /** The PSU of the basket; if it names nobody, the PSU who initiated the first payment. */
  readonly psu: PsuReference;
  readonly returnTo: ReturnAddress;
  /** At least one, all different. */
  readonly paymentIds: readonly string[];
}

/**
 * Creates a signing basket: payments that one PSU signs with one SCA (interface: Endpoints, rule 5). It expires after a
 * lifetime in bank time. Refuses with a fault for each unsuitable payment: RESOURCE_UNKNOWN, and those of
 * {@link checkBasketChoice}.
 */
export async function createSigningBasketIn(
  bank: BankContext,
  tx: Writer,
  command: CreateSigningBasket,
): Promise<BasketView> {
  const time = await bankTime(bank, tx);
  const { now } = time;
  const { customer } = await identifyPsu(tx, command.tpp.id, command.psu);
  const { psu, payments } = await choose(tx, command, customer, time);
  const basket = await insertSigningBasket(
    tx,
    {
      resource_id: bank.ids.resourceId(),
      tpp_id: command.tpp.id,
      customer_id: psu,
      tpp_redirect_uri: command.returnTo.redirectUri,
      tpp_session_id: command.returnTo.sessionId,
      created_at: now,
      expires_at: addDuration(now, bank.basketLifetime),
      signed_at: null,
    },
    payments.map(({ id }) => id),
  );
  return { basket, payments: await shownPayments(bank, tx, payments, now) };
}

async function choose(
  tx: Writer,
  { tpp, paymentIds }: CreateSigningBasket,
  customer: Customer | null,
  time: BankTime,
): Promise<{ readonly psu: number; readonly payments: readonly Payment[] }> {
  const payments: Payment[] = [];
  let psu = customer?.id ?? null;
  const candidates: BasketCandidate[] = [];
  const unknown: Fault[] = [];
  for (const [index, paymentId] of paymentIds.entries()) {
    const path = `paymentIds[${index}]`;
    const payment = await orRefusal(findOwnPayment(tx, tpp.id, { paymentId }, { customer, time }));
    if (payment instanceof Refusal) {
      unknown.push({ ...payment.faults[0], place: 'payload', path });
      continue;
    }
    payments.push(payment);
    psu ??= payment.customer_id;
    candidates.push(await candidateOf(tx, payment, psu, path, time.now));
  }
  const [fault, ...others] = [...unknown, ...checkBasketChoice(candidates)];
  if (fault !== undefined) throw new Refusal(fault, ...others);
  assert(psu !== null, 'a signing basket has at least one payment');
  return { psu, payments };
}

async function candidateOf(
  tx: Writer,
  payment: Payment,
  psu: number,
  path: string,
  now: Instant,
): Promise<BasketCandidate> {
  const account = await accountByKey(tx, payment.debtor_account_id);
  assert(account.customer_id !== null, 'a debtor account belongs to a customer');
  return {
    path,
    status: payment.status,
    isOfPsu: await maySign(tx, psu, payment),
    ownerId: account.customer_id,
    openBasketId: (await openBasketOf(tx, payment.id, now))?.resource_id ?? null,
  };
}
