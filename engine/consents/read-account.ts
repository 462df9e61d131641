import { assert } from '../values/assert.ts';
import { type AccountRequest, consentedAccount, countRead, withAccess, type AccountAccess } from './account-access.ts';
import { type AccountWithBalances, withBalances } from '../settlement/rows/balance-sums.ts';
import { type BankContext, readBank } from '../bank/bank-context.ts';
import type { Balances } from '../accounts/rules/entry.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { type CardAccount, cardAccountsOfConsent } from '../cards/rows/cards.ts';
import { clip } from '../values/text.ts';
import { type Fault, Refusal } from '../values/fault.ts';
import { noSession } from '../parties/rules/access.ts';
import { corporateAgreementsOf, type OwnedAgreement } from '../parties/rows/customers.ts';
import { hasLiveSession } from '../parties/session.ts';
import { identifyPsu } from '../parties/identify-psu.ts';
import { offeringSca, scaRequired, type PsuRequest } from './sca-required.ts';

/**
 * Reads one account of the consent, with balances if wanted; that counts as a read of them (rules.md A8). Another
 * account: RESOURCE_UNKNOWN.
 */
export function readAccount(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  withBalance: boolean,
): Promise<AccountWithBalances> {
  return withAccess(bank, request, async (access) => {
    const account = consentedAccount(access, accountId);
    if (withBalance) await countRead(access, account, 'balances');
    const [found] = await withBalances(access, [account], withBalance);
    assert(found !== undefined, 'one account gives one answer');
    return found;
  });
}

export interface AccountBalances {
  readonly account: Account;
  readonly balances: Balances;
}

/** Reads the balances of one account of the consent (rules.md S8). Another account: RESOURCE_UNKNOWN. */
export async function readBalances(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
): Promise<AccountBalances> {
  const { account, balances } = await readAccount(bank, request, accountId, true);
  assert(balances !== null, 'balances were asked for');
  return { account, balances };
}

/** Lists the accounts of the consent (rules.md A7), with balances if wanted; that counts as a read of each (A8). */
export function listAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<AccountWithBalances[]> {
  return withAccess(bank, request, async (access) => {
    const { accounts } = access;
    if (withBalance) for (const account of accounts) await countRead(access, account, 'balances');
    return withBalances(access, accounts, withBalance);
  });
}

/**
 * Reads one card account of the consent, with balances if wanted; that counts as a read of them (rules.md A8). Another:
 * RESOURCE_UNKNOWN.
 */
export function readCardAccount(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  withBalance: boolean,
): Promise<CardAccount> {
  return withAccess(bank, request, async (access) => {
    const card = await consentedCard(access, cardId);
    if (withBalance) await countRead(access, card, 'balances');
    return card;
  });
}

/** Finds the card account of a path in the consent. Another: RESOURCE_UNKNOWN (interface: Errors). */
export async function consentedCard(access: AccountAccess, cardId: string): Promise<CardAccount> {
  const card = (await cardAccountsOfConsent(access.reader, access.consentId)).find(
    ({ resource_id: id }) => id === cardId,
  );
  if (card !== undefined) return card;
  const text = `The PSU has not opened a card account ${clip(cardId)} to this TPP. GET /v1/card-accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/**
 * Lists the card accounts of the consent (rules.md A7), with balances if wanted; that counts as a read of each (A8).
 * Under the quirk no-cards-404 a consent without one: RESOURCE_UNKNOWN (Q10e).
 */
export function listCardAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<CardAccount[]> {
  return withAccess(bank, request, async (access) => {
    const cards = await cardAccountsOfConsent(access.reader, access.consentId);
    if (cards.length === 0 && bank.quirks.has('no-cards-404')) throw new Refusal(noCards);
    if (withBalance) for (const card of cards) await countRead(access, card, 'balances');
    return cards;
  });
}

const noCards: Fault = {
  code: 'RESOURCE_UNKNOWN',
  place: 'account',
  text: 'The PSU has opened no card account to this TPP. GET /v1/accounts lists the accounts that it has opened.',
};

/**
 * Lists the corporate agreements of a PSU, whose ids the TPP sends in PSU-Corporate-ID (interface: GET /v1/agreements).
 * Needs a live session (rules.md A7), else CONSENT_INVALID with an SCA that begins one.
 */
export function listAgreements(bank: BankContext, request: PsuRequest): Promise<OwnedAgreement[]> {
  return offeringSca(bank, request, 'identification', () =>
    readBank(bank, async ({ reader, ...time }) => {
      const { psu } = await identifyPsu(reader, request.tpp.id, request.psu);
      const isLive = psu !== null && (await hasLiveSession(reader, psu, request.sessionId, time));
      if (!isLive) throw scaRequired(noSession);
      return corporateAgreementsOf(reader, psu.customer_id);
    }),
  );
}
