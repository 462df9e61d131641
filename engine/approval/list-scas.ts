import type { Instant } from '../values/instant.ts';
import type { Reader } from '../ledger/database.ts';
import { type BankContext, readBank, type Reading } from '../bank/bank-context.ts';
import { isOtherContext } from '../parties/acting.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import { signatureRefusal } from '../payments/sign-payment.ts';
import type { TppIdentity } from '../sca/sca.ts';
import type { ScaPurpose } from '../sca/rows/scas.ts';
import { scaLifetime } from '../sca/rules/sca.ts';
import { cancellationRefusal } from './start-sca.ts';
import {
  basketMembers,
  payersOf,
  paymentsOfScas,
  signersOf,
  unfinishedScas,
  type Payer,
  type PaymentOfSca,
  type UnfinishedSca,
} from './rows/open-scas.ts';

/** An SCA that a PSU can answer now. */
export interface OpenSca {
  /** Opens its page: the last part of `scaRedirect`. */
  readonly id: string;
  readonly purpose: ScaPurpose;
  readonly tpp: TppIdentity;
  /** The ids of the payments to sign or to cancel; empty for a consent and an identification. */
  readonly payments: readonly string[];
  /** The payee's name of each payment. Null for several payees, and for a payment that names none. */
  readonly payees: readonly (string | null)[];
  readonly basketId: string | null;
  /** The only context in which it can be approved (rules.md A7d). */
  readonly context: PsuContext | null;
  /** The id of the only agreement. */
  readonly agreement: string | null;
  /** By the wall clock (rules.md A4b). */
  readonly startedAt: Instant;
  readonly expiresAt: Instant;
  /** Who may sign. Null if any PSU may, because the request named nobody. */
  readonly signers: readonly OpenScaSigner[] | null;
  /** An open signing basket holds its payment, which is signed with the basket alone (rules.md P12b). */
  readonly isHeldByBasket: boolean;
}

/** Who may sign, and as what. */
export interface OpenScaSigner {
  readonly number: string;
  readonly name: string;
  /**
   * The contexts in which the PSU may pay from the account. Null if nothing is paid: then any context of the PSU will
   * do.
   */
  readonly as: readonly SignerContext[] | null;
}

/** A context of a PSU, with the agreement in CORPORATE. */
export interface SignerContext {
  readonly context: PsuContext;
  readonly agreement: { readonly id: string; readonly name: string } | null;
}

/**
 * Lists the open SCAs of all TPPs for the control plane, the latest first: neither ended nor expired, and with
 * something left to approve. The signers are those whom the SCA itself would accept (rules.md A4, P12).
 */
export function listScas(bank: BankContext): Promise<OpenSca[]> {
  return readBank(bank, openScasFor);
}

/** Who may still approve an open SCA (rules.md A4, P12), or null if any PSU may. */
export async function signersOfSca(reading: Reading, { id }: { readonly id: number }): Promise<OpenSca['signers']> {
  const [open] = await openScasFor(reading, id);
  return open === undefined ? [] : open.signers;
}

/** All open SCAs, or the one with this key. */
async function openScasFor({ bank, reader, now }: Reading, key?: number): Promise<OpenSca[]> {
  const scas = await unfinishedScas(reader, (bank.security.now() - scaLifetime) as Instant, key);
  const subjects = await subjectsOf(reader, scas, now);
  return scas.flatMap((sca) => openScaOf(sca, subjects));
}

/** What the SCAs are about, by key. */
interface Subjects {
  readonly payments: ReadonlyMap<number, PaymentOfSca>;
  readonly baskets: ReadonlyMap<number, readonly number[]>;
  readonly payers: ReadonlyMap<number, readonly Payer[]>;
  readonly signed: ReadonlyMap<number, ReadonlySet<number>>;
}

async function subjectsOf(reader: Reader, scas: readonly UnfinishedSca[], now: Instant): Promise<Subjects> {
  const keys = scas.flatMap(({ payment_id: id }) => (id === null ? [] : [id]));
  const basketKeys = scas.flatMap(({ basket_id: id }) => (id === null ? [] : [id]));
  const payments = await paymentsOfScas(reader, { payments: keys, baskets: basketKeys }, now);
  const accounts = new Set([...payments.values()].map((payment) => payment.debtor_account_id));
  return {
    payments,
    baskets: await basketMembers(reader, basketKeys),
    payers: Map.groupBy(await payersOf(reader, accounts), (payer) => payer.account_id),
    signed: await signersOf(reader, payments.keys()),
  };
}

/** Empty when nothing is left to approve. */
function openScaOf(sca: UnfinishedSca, subjects: Subjects): OpenSca[] {
  const payments = paymentsLeft(sca, subjects);
  if (payments === null) return [];
  const startedAt = sca.created_at_wall;
  const isBound = sca.context_binds === 1;
  return [
    {
      id: sca.resource_id,
      purpose: sca.purpose,
      tpp: { id: sca.tpp_id, name: sca.tpp_name },
      payments: payments.map((payment) => payment.resource_id),
      payees: payments.map((payment) => payment.payee),
      basketId: sca.basket_resource_id,
      context: isBound ? sca.context : null,
      agreement: sca.agreement_resource_id,
      startedAt,
      expiresAt: (startedAt + scaLifetime) as Instant,
      signers: signersFor(sca, payments, subjects),
      isHeldByBasket: payments.some((payment) => isSignedWithAnother(sca, payment)),
    },
  ];
}

/** The payments that this SCA can still approve. Empty if it concerns no payment; null if no payment is left. */
function paymentsLeft(sca: UnfinishedSca, { payments, baskets }: Subjects): readonly PaymentOfSca[] | null {
  const { purpose, payment_id: paymentId, basket_id: basketId } = sca;
  if (purpose === 'consent' || purpose === 'identification') return [];
  const keys = basketId === null ? [paymentId ?? 0] : (baskets.get(basketId) ?? []);
  const left = keys
    .flatMap((key) => payments.get(key) ?? [])
    .filter((payment) => {
      if (purpose === 'cancellation') return cancellationRefusal(payment.status) === null;
      const isInBasket = basketId === null || payment.open_basket_id === basketId;
      return isInBasket && signatureRefusal(payment.status) === null;
    });
  return left.length === 0 ? null : left;
}

function signersFor(sca: UnfinishedSca, payments: readonly PaymentOfSca[], subjects: Subjects): OpenSca['signers'] {
  const { customer_id: named, customer_number: number, customer_name: name } = sca;
  if (sca.purpose === 'consent' || sca.purpose === 'identification') {
    if (number === null || name === null) return null;
    return sca.is_customer_deleted === 1 ? [] : [{ number, name, as: null }];
  }
  const able = payments.flatMap((payment) => payersFor(sca, payment, subjects));
  const wanted = able.filter((payer) => named === null || payer.customer_id === named);
  const byKey = Map.groupBy(wanted, (payer) => payer.customer_id);
  return [...byKey.values()].flatMap((ways) => {
    const [payer] = ways;
    if (payer === undefined) return [];
    return { number: payer.customer_number, name: payer.customer_name, as: contextsIn(ways) };
  });
}

/** The contexts of one PSU, each once: an agreement may give rights to several accounts. */
function contextsIn(ways: readonly Payer[]): SignerContext[] {
  const byAgreement = new Map(ways.map((way) => [`${way.context} ${way.agreement_id}`, way]));
  return [...byAgreement.values()].map(({ context, agreement_resource_id: id, agreement_name: name }) => {
    return { context, agreement: context === 'PRIVATE' ? null : { id, name } };
  });
}

/** Whether an open basket holds a payment that this SCA would sign: it is signed with that basket. */
function isSignedWithAnother({ purpose, basket_id: basket }: UnfinishedSca, payment: PaymentOfSca): boolean {
  return purpose !== 'cancellation' && payment.open_basket_id !== basket;
}

/** Who may sign or cancel one payment with this SCA. */
function payersFor(sca: UnfinishedSca, payment: PaymentOfSca, { payers, signed }: Subjects): Payer[] {
  const isSignature = sca.purpose !== 'cancellation';
  if (isSignedWithAnother(sca, payment)) return [];
  const haveSigned = signed.get(payment.id);
  return (payers.get(payment.debtor_account_id) ?? []).filter(
    (payer) =>
      (sca.agreement_id === null || sca.agreement_id === payer.agreement_id) &&
      !isOtherContext(sca, payer.context) &&
      !(isSignature && haveSigned?.has(payer.customer_id) === true),
  );
}
