import { namesOfUnsigned } from './rows/open-scas.ts';
import { assert } from '../values/assert.ts';
import type { Amount, Currency } from '../values/money.ts';
import { cardAccountsOfConsent } from '../cards/rows/cards.ts';
import { accountsOfConsent, liveConsent } from '../consents/rows/consents.ts';
import type { Reader } from '../ledger/database.ts';
import { psuOfCustomer } from '../parties/rows/psus.ts';
import type { Sca } from '../sca/rows/scas.ts';
import type { SignablePayment } from '../payments/rows/signable-payments.ts';
import type { Present, Moment } from '../bank/bank-context.ts';
import { paymentToSign, type PaymentToSign } from '../payments/payment-to-sign.ts';
import { shareableAccounts, shareableCards } from '../consents/consents.ts';
import type { Signer } from '../payments/register-payment.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { withBalances } from '../settlement/rows/balance-sums.ts';

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

/**
 * The subject of an SCA for a PSU in a context that {@link checkContexts} has passed. `payeesPage`: the page of the payees of bulk payments,
 * from 1.
 */
export async function subjectOf(
  present: Present,
  sca: Sca,
  signer: Signer,
  payments: readonly SignablePayment[],
  payeesPage: number,
): Promise<ScaSubject> {
  const { reader } = present;
  const { purpose } = sca;
  if (purpose === 'identification') return { purpose };
  if (purpose === 'consent') return { purpose, accounts: await accountsToShare(reader, sca, signer) };
  const shown: ShownPayment[] = [];
  for (const payment of payments) shown.push({ payment, toSign: await paymentToSign(present, payment, payeesPage) });
  const [first] = shown;
  assert(first !== undefined, 'an SCA of payments has one to show');
  if (purpose === 'cancellation') return { purpose, payment: first.toSign, otherSigners: [], balances: [] };
  const balances = await balancesAfter(present, signer, shown);
  if (purpose === 'basket') return { purpose, payments: shown.map(({ toSign }) => toSign), balances };
  return { purpose, payment: first.toSign, otherSigners: await otherSigners(reader, signer, first.payment), balances };
}

/** The other PSUs who can sign a payment with several signatures and have not (rules.md A4), in the order of their creation. */
async function otherSigners(reader: Reader, { customer }: Signer, payment: SignablePayment): Promise<string[]> {
  if (payment.signatures_required === 1) return [];
  return namesOfUnsigned(reader, payment, customer.id);
}

/** The accounts and cards that a PSU can open to the TPP of an SCA in a context. */
async function accountsToShare(reader: Reader, sca: Sca, signer: Signer): Promise<AccountToShare[]> {
  const granted = await grantedIds(reader, sca, signer);
  const accounts = (await shareableAccounts(reader, signer.customer, signer.acting)).map((account) => ({
    id: account.resource_id,
    name: account.name,
    bban: account.bban,
    iban: account.iban,
    maskedPan: null,
    currency: account.currency,
    granted: granted.has(account.resource_id),
  }));
  const cards = (await shareableCards(reader, signer.customer, signer.acting)).map((card) => ({
    id: card.resource_id,
    name: card.name,
    bban: null,
    iban: null,
    maskedPan: card.masked_pan,
    currency: card.currency,
    granted: granted.has(card.resource_id),
  }));
  return [...accounts, ...cards];
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
interface ShownPayment {
  readonly payment: SignablePayment;
  readonly toSign: PaymentToSign;
}

/**
 * What is available now (rules.md S8: interimAvailable) in each account that pays, less what these payments take from it.
 * Leaves out periodic payments, and accounts that the PSU may not read in its context (A4d).
 */
async function balancesAfter(
  present: Moment,
  { customer, acting }: Signer,
  shown: readonly ShownPayment[],
): Promise<BalanceAfter[]> {
  const readable = await shareableAccounts(present.reader, customer, acting);
  const paying = readable.filter(({ id }) => debitsFrom(shown, id).length > 0);
  return (await withBalances(present, paying, true)).flatMap(({ account, balances }) => {
    if (balances === null) return [];
    const { name, bban, iban, currency } = account;
    const taken = debitsFrom(shown, account.id).reduce((sum, { minor }) => sum + minor, 0n);
    return [{ account: { name, bban, iban }, available: { minor: balances.interimAvailable - taken, currency } }];
  });
}

function debitsFrom(shown: readonly ShownPayment[], accountId: number): Amount[] {
  return shown.flatMap(({ payment, toSign: { debit } }) =>
    payment.debtor_account_id === accountId && debit !== null ? [debit] : [],
  );
}
