import { osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { customerByKey, firstPsus, type PsuContext } from '../parties/rows/customers.ts';
import { findSca, type Sca, type ScaPurpose } from '../sca/rows/scas.ts';
import { chosenContext, type ChosenContext } from '../parties/acting.ts';
import { type BankContext, readBank, type Reading, type PresentReading } from '../bank/bank-context.ts';
import { closedSca, type ClosedSca, usableSca, checkContexts, type CheckedContext } from './start-sca.ts';
import { signersOfSca } from './list-scas.ts';
import type { Signer } from '../payments/sign-payment.ts';
import { signerOf } from './find-signer.ts';
import { namesOfUnsigned } from './rows/open-scas.ts';
import { assert } from '../values/assert.ts';
import type { Amount, Currency } from '../values/money.ts';
import { cardAccountsOfConsent } from '../cards/rows/cards.ts';
import { accountsOfConsent, liveConsent } from '../consents/rows/consents.ts';
import type { Reader } from '../ledger/database.ts';
import { psuOfCustomer } from '../parties/rows/psus.ts';
import type { SignablePayment } from '../payments/rows/signable-payments.ts';
import { paymentToSign, type PaymentToSign } from '../payments/payment-to-sign.ts';
import { shareableAccounts, shareableCards } from '../consents/consents.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { withBalances } from '../settlement/rows/balance-sums.ts';

/** Maximum number of PSUs that the page offers. */
const offeredPsus = 20;

/** A PSU that the page offers. */
interface PsuToTry {
  readonly number: string;
  readonly name: string;
  /** A text about it for people. */
  readonly note: { readonly en: string; readonly nb: string } | null;
  /** Whether the TPP named this PSU (rules.md A6); then every other one is refused. */
  readonly isAwaited: boolean;
  /** Whether this PSU can approve: it may sign and has not, or the TPP named it (rules.md A4e). */
  readonly maySign: boolean;
}

/** A context in which the PSU can act, and what it approves in it. */
export interface ContextChoice extends ChosenContext {
  /** The PSU's own name, or the agreement's. */
  readonly name: string;
  readonly subject: ScaSubject;
}

/** The content of an SCA page. */
export interface ScaView {
  readonly purpose: ScaPurpose;
  readonly tppName: string;
  /** Where the PSU goes after it. */
  readonly redirectUri: string;
  /** The bank's date in Oslo. */
  readonly today: LocalDate;
  /** PSU-Context of the request; null without one. */
  readonly wanted: PsuContext | null;
  /** Empty once the PSU is known. */
  readonly psus: readonly PsuToTry[];
  /** Why nothing is left to approve; else null. */
  readonly closed: ClosedSca | null;
  /** Null until the PSU is known, and when nothing is left to approve. */
  readonly signing: SigningView | null;
}

/** The content for an identified PSU. */
export interface SigningView {
  readonly psu: Pick<PsuToTry, 'number' | 'name'>;
  /** At least one. */
  readonly contexts: readonly [ContextChoice, ...ContextChoice[]];
}

/**
 * Reads what the SCA page shows (rules.md A2); changes nothing. `psuNumber` is null until the PSU is known;
 * `payeesPage` is the page, from 1, of the payees of bulk payments. The PSU must be the one the SCA waits for, else
 * PSU_CREDENTIALS_INVALID, and have the right to pay (A4), else FORBIDDEN. Throws SCA_NOT_FOUND, SCA_INVALID or
 * SCA_EXPIRED for an SCA that cannot be used.
 */
export function readSca(bank: BankContext, scaId: string, psuNumber: string | null, payeesPage = 1): Promise<ScaView> {
  return readBank(bank, async (reading) => {
    const sca = await usableSca(reading, scaId);
    const closed = await closedSca(reading, sca);
    const isKnown = psuNumber !== null && closed === null;
    return {
      purpose: sca.purpose,
      tppName: sca.tpp_name,
      redirectUri: sca.tpp_redirect_uri,
      today: osloDate(reading.now),
      wanted: sca.context,
      psus: isKnown ? [] : await psusToTry(reading, sca),
      closed,
      signing: isKnown ? await signingView(reading, sca, psuNumber, payeesPage) : null,
    };
  });
}

/** Where the PSU goes after an SCA, even an ended or expired one; null for an unknown SCA. */
export async function redirectUriOf(bank: BankContext, scaId: string): Promise<string | null> {
  return (await bank.ledger.read((reader) => findSca(reader, { resourceId: scaId })))?.tpp_redirect_uri ?? null;
}

/** What an SCA is for, ended or not. */
export interface ScaAim {
  readonly purpose: ScaPurpose;
  /** The id of the payment that it signs or cancels. */
  readonly paymentId: string | null;
}

/** What an SCA is for; null for an unknown one. */
export async function aimOf(bank: BankContext, scaId: string): Promise<ScaAim | null> {
  const sca = await bank.ledger.read((reader) => findSca(reader, { resourceId: scaId }));
  return sca === undefined ? null : { purpose: sca.purpose, paymentId: sca.payment_resource_id };
}

/** The PSU whom the TPP named comes first, then those who may sign, then others in the order of their creation. */
async function psusToTry(reading: Reading, sca: Sca): Promise<PsuToTry[]> {
  const { bank, reader } = reading;
  const notes = new Map(
    bank.knownState.customers.flatMap(({ customerNumber, note, noteNb }) =>
      note === undefined ? [] : [[customerNumber, { en: note, nb: noteNb ?? note }] as const],
    ),
  );
  const awaited = sca.customer_id === null ? null : await customerByKey(reader, sca.customer_id);
  const signers = await signersOfSca(reading, sca);
  const able = (signers ?? []).slice(0, offeredPsus).map(({ number, name }): [string, string] => [number, name]);
  const others = (await firstPsus(reader, offeredPsus)).map((each): [string, string] => [
    each.customer_number,
    each.name,
  ]);
  const named: [string, string][] = awaited === null ? [] : [[awaited.customer_number, awaited.name]];
  const maySign = new Set([...named, ...able].map(([number]) => number));
  return [...new Map([...named, ...able, ...others])].map(([number, name]) => ({
    number,
    name,
    note: notes.get(number) ?? null,
    isAwaited: number === awaited?.customer_number,
    maySign: (awaited === null && signers === null) || maySign.has(number),
  }));
}

async function signingView(
  reading: PresentReading,
  sca: Sca,
  psuNumber: string,
  payeesPage: number,
): Promise<SigningView> {
  const actor = await signerOf(reading.reader, sca, psuNumber);
  const { customer } = actor;
  const [first, ...others] = await checkContexts(reading, sca, actor);
  const choiceOf = async ({ acting, payments }: CheckedContext): Promise<ContextChoice> => {
    const subject = await subjectOf(reading, sca, { signer: { customer, acting }, payments, payeesPage });
    return { ...chosenContext(acting), name: acting.agreement.name, subject };
  };
  const contexts: [ContextChoice, ...ContextChoice[]] = [await choiceOf(first)];
  for (const other of others) contexts.push(await choiceOf(other));
  return { psu: { number: customer.customer_number, name: customer.name }, contexts };
}

export interface AccountToShare {
  /** The interface's account id. */
  readonly id: string;
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
  /** Set for a card account, which has neither BBAN nor IBAN. */
  readonly maskedPan: string | null;
  readonly currency: Currency;
  /** Whether the TPP has a consent to it now. */
  readonly granted: boolean;
}

/** What a PSU approves. */
export type ScaSubject =
  | {
      readonly purpose: 'payment' | 'cancellation';
      readonly payment: PaymentToSign;
      /** Names of the other PSUs who can give a missing signature; empty for a cancellation. */
      readonly otherSigners: readonly string[];
      readonly balances: readonly BalanceAfter[];
    }
  | {
      readonly purpose: 'basket';
      readonly payments: readonly PaymentToSign[];
      readonly balances: readonly BalanceAfter[];
    }
  | { readonly purpose: 'consent'; readonly accounts: readonly AccountToShare[] }
  | { readonly purpose: 'identification' };

/** What is shown of an SCA, and to whom. */
interface Shown {
  readonly signer: Signer;
  readonly payments: readonly SignablePayment[];
  /** The page of the payees of bulk payments, from 1. */
  readonly payeesPage: number;
}

/** The subject of an SCA for a PSU in a context that {@link checkContexts} has passed. */
async function subjectOf(
  reading: PresentReading,
  sca: Sca,
  { signer, payments, payeesPage }: Shown,
): Promise<ScaSubject> {
  const { reader } = reading;
  const { purpose } = sca;
  if (purpose === 'identification') return { purpose };
  if (purpose === 'consent') return { purpose, accounts: await accountsToShare(reader, sca, signer) };
  const shown: PaymentOnPage[] = [];
  for (const payment of payments) shown.push({ payment, toSign: await paymentToSign(reading, payment, payeesPage) });
  const [first] = shown;
  assert(first !== undefined, 'an SCA of payments has one to show');
  if (purpose === 'cancellation') return { purpose, payment: first.toSign, otherSigners: [], balances: [] };
  const balances = await balancesAfter(reading, signer, shown);
  if (purpose === 'basket') return { purpose, payments: shown.map(({ toSign }) => toSign), balances };
  return { purpose, payment: first.toSign, otherSigners: await otherSigners(reader, signer, first.payment), balances };
}

/**
 * The other PSUs who can sign a payment with several signatures and have not (rules.md A4), in the order of their
 * creation.
 */
async function otherSigners(reader: Reader, { customer }: Signer, payment: SignablePayment): Promise<string[]> {
  if (payment.signatures_required === 1) return [];
  return namesOfUnsigned(reader, payment, customer.id);
}

/** The accounts and cards that a PSU can open to the TPP of an SCA in a context. */
async function accountsToShare(reader: Reader, sca: Sca, signer: Signer): Promise<AccountToShare[]> {
  const granted = await grantedIds(reader, sca, signer);
  const accounts = await shareableAccounts(reader, signer.customer, signer.acting);
  const cards = await shareableCards(reader, signer.customer, signer.acting);
  return [
    ...accounts.map((account) => ({ ...account, masked_pan: null })),
    ...cards.map((card) => ({ ...card, bban: null, iban: null })),
  ].map(({ resource_id: id, name, bban, iban, masked_pan: maskedPan, currency }) => {
    return { id, name, bban, iban, maskedPan, currency, granted: granted.has(id) };
  });
}

async function grantedIds(reader: Reader, sca: Sca, { customer, acting }: Signer): Promise<ReadonlySet<string>> {
  const psu = await psuOfCustomer(reader, sca.tpp_id, customer.id);
  if (psu === undefined) return new Set();
  const consent = await liveConsent(reader, { psuKey: psu.id, agreementId: acting.agreement.id });
  if (consent === undefined) return new Set();
  const accounts = await accountsOfConsent(reader, { consentId: consent.id });
  const cards = await cardAccountsOfConsent(reader, consent.id);
  return new Set([...accounts, ...cards].map(({ resource_id: id }) => id));
}

/** What is available in a debtor account after payments that are not signed yet. */
export interface BalanceAfter {
  readonly account: Pick<Account, 'name' | 'bban' | 'iban'>;
  /** Below zero if the account lacks the money now. */
  readonly available: Amount;
}

/** A payment, and what is shown of it. */
interface PaymentOnPage {
  readonly payment: SignablePayment;
  readonly toSign: PaymentToSign;
}

/**
 * What is available now (rules.md S8: interimAvailable) in each account that pays, less what these payments take from
 * it. Leaves out periodic payments, and accounts that the PSU may not read in its context (A4d).
 */
async function balancesAfter(
  reading: Reading,
  { customer, acting }: Signer,
  shown: readonly PaymentOnPage[],
): Promise<BalanceAfter[]> {
  const readable = await shareableAccounts(reading.reader, customer, acting);
  const paying = readable.filter(({ id }) => debitsFrom(shown, id).length > 0);
  return (await withBalances(reading, paying, true)).flatMap(({ account, balances }) => {
    if (balances === null) return [];
    const { name, bban, iban, currency } = account;
    const taken = debitsFrom(shown, account.id).reduce((sum, { minor }) => sum + minor, 0n);
    return [{ account: { name, bban, iban }, available: { minor: balances.interimAvailable - taken, currency } }];
  });
}

function debitsFrom(shown: readonly PaymentOnPage[], accountId: number): Amount[] {
  return shown.flatMap(({ payment, toSign: { debit } }) =>
    payment.debtor_account_id === accountId && debit !== null ? [debit] : [],
  );
}
