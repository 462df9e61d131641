import { type CardAccount, cardAccountsOfConsent } from '../cards/rows/card-accounts.ts';
import { type AccountAccess, type AccountRequest, countRead, withAccess } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { clip } from '../values/text.ts';
import { type Fault, Refusal } from '../values/fault.ts';
import type { Reader } from '../ledger/database.ts';

/** Reads one card account of the consent, with balances if wanted; that counts as a read of them (rules.md A8). Another: RESOURCE_UNKNOWN. */
export function readCardAccount(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  withBalance: boolean,
): Promise<CardAccount> {
  return withAccess(bank, request, async (reader, access) => {
    const card = await consentedCard(reader, access, cardId);
    if (withBalance) await countRead(access, card, 'balances');
    return card;
  });
}

/** Finds the card account of a path in the consent. Another: RESOURCE_UNKNOWN (interface: Errors). */
export async function consentedCard(reader: Reader, access: AccountAccess, cardId: string): Promise<CardAccount> {
  const card = (await cardAccountsOfConsent(reader, access.consentId)).find(({ resource_id: id }) => id === cardId);
  if (card !== undefined) return card;
  const text = `The PSU has not opened a card account ${clip(cardId)} to this TPP. GET /v1/card-accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/**
 * Lists the card accounts of the consent (rules.md A7), with balances if wanted; that counts as a read of each (A8). Under the quirk
 * no-cards-404 a consent without one: RESOURCE_UNKNOWN (Q10e).
 */
export function listCardAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<CardAccount[]> {
  return withAccess(bank, request, async (reader, access) => {
    const cards = await cardAccountsOfConsent(reader, access.consentId);
    if (cards.length === 0 && bank.quirks.has('no-cards-404')) throw new Refusal(noCards);
    if (withBalance) for (const card of cards) await countRead(access, card, 'balances');
    return cards;
  });
}

const noCards: Fault = {
  code: 'RESOURCE_UNKNOWN',
  place: 'account',
  habit: 'no-cards-404',
  text: 'The PSU has opened no card account to this TPP. GET /v1/accounts lists the accounts that it has opened.',
};
