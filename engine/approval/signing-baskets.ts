import { maySign } from '../payments/may-sign.ts';
import { shownPayments, findOwnPayment } from '../payments/read-payment.ts';
import { assert } from '../values/assert.ts';
import { checkBasketChoice, type BasketCandidate } from './rules/basket.ts';
import { addDuration } from '../values/duration.ts';
import { Refusal, type Fault, orRefusal } from '../values/fault.ts';
import { type Instant, formatInstant } from '../values/instant.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Payment } from '../payments/rows/payments.ts';
import {
  insertSigningBasket,
  findSigningBasket,
  paymentsOfBasket,
  type SigningBasket,
  saveBasketSigned,
  signingBasketByKey,
  expireBasketsOf,
} from './rows/signing-baskets.ts';
import { signablePayment } from '../payments/rows/signable-payments.ts';
import { type BankContext, type Reading, readBank, type Writing } from '../bank/bank-context.ts';
import type { ReturnAddress, TppIdentity } from '../sca/sca.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { clip } from '../values/text.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import type { Sca } from '../sca/rows/scas.ts';

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
export async function createSigningBasketIn(writing: Writing, command: CreateSigningBasket): Promise<BasketView> {
  const { bank, tx, now } = writing;
  const { customer } = await identifyPsu(tx, command.tpp.id, command.psu);
  const { psu, payments } = await choose(writing, command, customer);
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
  return { basket, payments: await shownPayments(writing, payments) };
}

async function choose(
  reading: Reading,
  { tpp, paymentIds }: CreateSigningBasket,
  customer: Customer | null,
): Promise<{ readonly psu: number; readonly payments: readonly Payment[] }> {
  const payments: Payment[] = [];
  let psu = customer?.id ?? null;
  const candidates: BasketCandidate[] = [];
  const unknown: Fault[] = [];
  for (const [index, paymentId] of paymentIds.entries()) {
    const path = `paymentIds[${index}]`;
    const payment = await orRefusal(findOwnPayment(reading, tpp.id, { paymentId }, customer));
    if (payment instanceof Refusal) {
      unknown.push({ ...payment.faults[0], place: 'payload', path });
      continue;
    }
    payments.push(payment);
    psu ??= payment.customer_id;
    candidates.push(await candidateOf(reading, payment, psu, path));
  }
  const [fault, ...others] = [...unknown, ...checkBasketChoice(candidates)];
  if (fault !== undefined) throw new Refusal(fault, ...others);
  assert(psu !== null, 'a signing basket has at least one payment');
  return { psu, payments };
}

async function candidateOf(reading: Reading, payment: Payment, psu: number, path: string): Promise<BasketCandidate> {
  const isOfPsu = await maySign(reading.reader, psu, payment);
  const { status, debtor_customer_id: ownerId, ...signable } = await signablePayment(reading, payment.id, null);
  assert(ownerId !== null, 'a debtor account belongs to a customer');
  return { path, status, isOfPsu, ownerId, openBasketId: signable.basket_resource_id };
}

interface ReadSigningBasket {
  readonly tppId: string;
  readonly psu: PsuReference;
  readonly basketId: string;
}

export interface BasketView {
  readonly basket: SigningBasket;
  /** In the order of the request that created the basket. */
  readonly payments: readonly Payment[];
}

/** Reads a signing basket for its TPP and PSU. Another's: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED. */
export function readSigningBasket(bank: BankContext, query: ReadSigningBasket): Promise<BasketView> {
  return readBank(bank, async (reading) => {
    const basket = await findOwnBasket(reading, query);
    const payments = await paymentsOfBasket(reading.reader, basket.id, reading.now);
    return { basket, payments: await shownPayments(reading, payments) };
  });
}

/**
 * Finds the signing basket of a path for its TPP, and for its PSU if the request names one (interface: Endpoints, rule
 * 5; rules.md G8). Unknown to them: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED.
 */
export async function findOwnBasket(
  { reader, now }: Reading,
  { tppId, psu, basketId }: ReadSigningBasket,
): Promise<SigningBasket> {
  const { customer } = await identifyPsu(reader, tppId, psu);
  const basket = await findSigningBasket(reader, basketId);
  if (basket === undefined || basket.tpp_id !== tppId || (customer !== null && basket.customer_id !== customer.id)) {
    const text = `This TPP and PSU have no signing basket ${clip(basketId)}. Check the id, and PSU-ID where it is sent.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
  }
  requireNotRemoved(basket, now);
  return basket;
}

/** RESOURCE_EXPIRED when the lifetime of the basket, in bank time, has passed (interface: Limits). */
function requireNotRemoved(basket: SigningBasket, now: Instant): void {
  if (now < basket.expires_at) return;
  const text =
    `The signing basket was removed at ${formatInstant(basket.expires_at)}. ` +
    'Its payments stay: authorise them one by one, or make a new basket.';
  throw new Refusal({ code: 'RESOURCE_EXPIRED', place: 'path', text });
}

/**
 * Signs every payment of a basket that still needs a signature, with one SCA (interface: Endpoints, rule 5). Not
 * atomic: a refused payment stays unsigned and can be authorised alone, the others are signed. When all are refused,
 * throws the first refusal.
 */
export async function signBasket(
  writing: Writing,
  sca: Sca,
  signOne: (payment: Payment) => Promise<void>,
): Promise<void> {
  assert(sca.basket_id !== null, 'an SCA of a signing basket names it');
  const waiting = await waitingInBasket(writing, sca);
  const refusals: Refusal[] = [];
  for (const payment of waiting) {
    // A refusal comes before the first change to its payment, so that nothing has to be rolled back.
    const signed = await orRefusal(signOne(payment));
    if (signed instanceof Refusal) refusals.push(signed);
  }
  if (refusals.length === waiting.length) throw refusals[0] ?? takesNoSignature();
  await saveBasketSigned(writing.tx, sca.basket_id, writing.now);
}

/**
 * The payments of an SCA's basket that still need a signature. STATUS_INVALID if the basket is signed or no payment is
 * left; RESOURCE_EXPIRED if it was removed.
 */
export async function waitingInBasket({ reader, now }: Reading, sca: Sca): Promise<Payment[]> {
  assert(sca.basket_id !== null, 'an SCA of a signing basket names it');
  const basket = await signingBasketByKey(reader, sca.basket_id);
  requireNotRemoved(basket, now);
  const payments = await paymentsOfBasket(reader, basket.id, now);
  const waiting = payments.filter(({ status }) => awaitsSignature(status));
  if (basket.signed_at !== null || waiting.length === 0) throw takesNoSignature();
  return waiting;
}

/** STATUS_INVALID: the basket was signed, or none of its payments needs a signature any more. */
export function takesNoSignature(): Refusal {
  const text =
    'The signing basket takes no further signature. Read the status of each payment; one that waits is authorised alone.';
  return new Refusal({ code: 'STATUS_INVALID', text });
}

/**
 * Removes the open signing baskets of a deleted customer, so that their payments are no longer blocked (rules.md D2).
 */
export async function removeBasketsOf({ tx, now }: Writing, customer: { readonly id: number }): Promise<void> {
  await expireBasketsOf(tx, customer.id, now);
}
