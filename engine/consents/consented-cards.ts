import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { cardAccountsOfConsent, type CardAccount } from '../cards/rows/card-accounts.ts';
import type { Reader } from '../ledger/database.ts';
import type { AccountAccess } from './account-access.ts';

/** The open card accounts of the consent. */
export function consentedCards(reader: Reader, { consentId }: AccountAccess): Promise<CardAccount[]> {
  return cardAccountsOfConsent(reader, consentId);
}

/** One of them, by the id of a path. Another: RESOURCE_UNKNOWN (interface: Errors). */
export async function consentedCard(reader: Reader, access: AccountAccess, cardId: string): Promise<CardAccount> {
  const card = (await consentedCards(reader, access)).find(({ resource_id: id }) => id === cardId);
  if (card !== undefined) return card;
  const text = `The PSU has not opened a card account ${clip(cardId)} to this TPP. GET /v1/card-accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}
