import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { findCardAccount, type CardAccount } from './rows/card-accounts.ts';
import type { Reader } from '../ledger/database.ts';

/** The open card account named in a path of the sandbox data. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireCardAccount(reader: Reader, cardAccountId: string): Promise<CardAccount> {
  const card = await findCardAccount(reader, cardAccountId);
  if (card !== undefined) return card;
  const text = `There is no card account ${clip(cardAccountId)}. GET /v1/sandbox/card-accounts lists them, with their resourceId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/** Refusal for a transaction that the card does not have, or no longer. */
export function cardTransactionUnknown(cardTransactionId: string): Refusal {
  const text =
    `The card has no transaction ${clip(cardTransactionId)}. ` +
    'GET /v1/sandbox/card-accounts/{id}/transactions lists them, with their cardTransactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
