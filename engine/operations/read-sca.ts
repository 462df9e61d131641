import { assert } from '../core/assert.ts';
import type { Instant } from '../core/instant.ts';
import { osloDate } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import { accountsOfCustomer, type Account } from '../ledger/accounts.ts';
import { privateAgreementOf } from '../ledger/agreements.ts';
import { accountsOfConsent, liveConsent } from '../ledger/consents.ts';
import { customerByKey, type Customer } from '../ledger/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { paymentByKey } from '../ledger/payments.ts';
import { firstPsus } from '../ledger/psu-roles.ts';
import { psuOfCustomer } from '../ledger/psus.ts';
import type { Sca } from '../ledger/scas.ts';
import type { PsuContext, ScaPurpose } from '../ledger/tables.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { openSca } from './shared/open-sca.ts';
import { paymentToSign, type PaymentToSign } from './shared/payment-to-sign.ts';
import { requireRightToPay, signerOf } from './shared/signer.ts';

/** How many PSUs the page offers; more only come about by creating them. */
const offeredPsus = 20;

/** One PSU of the sandbox that a person can try. */
export interface PsuToTry {
  readonly number: string;
  readonly name: string;
  readonly note: string | null;
  /** The one whom the TPP named (rules.md A6): any other fails. */
  readonly isAwaited: boolean;
}

/** On whose behalf a PSU can act. */
export interface ContextChoice {
  readonly context: PsuContext;
  /** The agreement's owner. */
  readonly name: string;
}

export interface AccountToShare {
  /** The interface's account id. */
  readonly id: string;
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
  readonly currency: string;
  /** Whether this TPP may read it already. */
  readonly granted: boolean;
}

export type ScaSubject =
  | { readonly purpose: 'payment' | 'cancellation'; readonly payment: PaymentToSign }
  | { readonly purpose: 'consent'; readonly accounts: readonly AccountToShare[] };

/** What the SCA page may show before it knows who looks at it. */
export interface ScaView {
  readonly purpose: ScaPurpose;
  readonly tppName: string;
  /** The bank's date. */
  readonly today: LocalDate;
  /** As the request named them; null where it did not. */
  readonly wanted: { readonly psuNumber: string | null; readonly context: PsuContext | null };
  readonly psus: readonly PsuToTry[];
  /** Null until the PSU is known. */
  readonly signing: SigningView | null;
}

/** What the PSU of the SCA sees. */
export interface SigningView {
  readonly psu: Pick<PsuToTry, 'number' | 'name'>;
  readonly contexts: readonly ContextChoice[];
  readonly subject: ScaSubject;
}

/**
 * What the SCA page shows (rules.md A2); changes nothing. With a number: to that PSU, who must be the one the SCA waits
 * for and have the right to pay (A4), else PSU_CREDENTIALS_INVALID or FORBIDDEN. Throws SCA_NOT_FOUND, SCA_INVALID or
 * SCA_EXPIRED for an SCA that cannot be used.
 */
export function readSca(bank: BankContext, scaId: string, psuNumber: string | null): Promise<ScaView> {
  return bank.ledger.read(async (reader) => {
    const sca = await openSca(bank, reader, scaId);
    const now = await bankNow(bank, reader);
    const psus = await psusToTry(bank, reader, sca);
    return {
      purpose: sca.purpose,
      tppName: sca.tpp_name,
      today: osloDate(now),
      wanted: { psuNumber: psus.find(({ isAwaited }) => isAwaited)?.number ?? null, context: sca.context },
      psus,
      signing: psuNumber === null ? null : await signingView(bank, reader, { sca, psuNumber, now }),
    };
  });
}

/** The one whom the TPP named comes first, the others as they were created. */
async function psusToTry(bank: BankContext, reader: Reader, sca: Sca): Promise<PsuToTry[]> {
  const notes = new Map(bank.knownState.customers.map(({ customerNumber, note }) => [customerNumber, note ?? null]));
  const awaited = sca.customer_id === null ? [] : [await customerByKey(reader, sca.customer_id)];
  const others = (await firstPsus(reader, offeredPsus)).filter(({ id }) => id !== sca.customer_id);
  return [...awaited, ...others].map(({ id, customer_number: number, name }) => ({
    number,
    name,
    note: notes.get(number) ?? null,
    isAwaited: id === sca.customer_id,
  }));
}

async function signingView(
  bank: BankContext,
  reader: Reader,
  { sca, psuNumber, now }: { readonly sca: Sca; readonly psuNumber: string; readonly now: Instant },
): Promise<SigningView> {
  const customer = await signerOf(reader, sca, psuNumber);
  return {
    psu: { number: customer.customer_number, name: customer.name },
    contexts: [{ context: 'PRIVATE', name: customer.name }],
    subject: await subjectOf(bank, reader, { sca, customer, now }),
  };
}

async function subjectOf(
  bank: BankContext,
  reader: Reader,
  { sca, customer, now }: { readonly sca: Sca; readonly customer: Customer; readonly now: Instant },
): Promise<ScaSubject> {
  if (sca.purpose === 'consent') return { purpose: 'consent', accounts: await accountsToShare(reader, sca, customer) };
  assert(sca.payment_id !== null, 'an SCA of a payment names it');
  const payment = await paymentByKey(reader, sca.payment_id);
  await requireRightToPay(reader, customer, payment);
  return { purpose: sca.purpose, payment: await paymentToSign(bank, reader, payment, now) };
}

async function accountsToShare(reader: Reader, sca: Sca, customer: Customer): Promise<AccountToShare[]> {
  const granted = new Set((await grantedAccounts(reader, sca, customer)).map(({ id }) => id));
  return (await accountsOfCustomer(reader, customer.id)).map((account) => ({
    id: account.resource_id,
    name: account.name,
    bban: account.bban,
    iban: account.iban,
    currency: account.currency,
    granted: granted.has(account.id),
  }));
}

async function grantedAccounts(reader: Reader, sca: Sca, customer: Customer): Promise<Account[]> {
  const psu = await psuOfCustomer(reader, sca.tpp_id, customer.id);
  const agreement = await privateAgreementOf(reader, customer.id);
  if (psu === undefined || agreement === undefined) return [];
  const consent = await liveConsent(reader, psu.id, agreement.id);
  return consent === undefined ? [] : accountsOfConsent(reader, consent.id);
}
