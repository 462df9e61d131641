import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { findCardAccount, type CardAccount, insertCardAccount, markCardAccountClosed } from './rows/card-accounts.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import type { Currency } from '../values/currency.ts';
import type { Ids } from '../bank/ids.ts';
import { renewResourceIds } from '../ledger/queries.ts';
import type { Instant } from '../values/instant.ts';

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

/** Members of a card that are only stored and returned. */
export interface CardDetails {
  readonly cardId?: string;
  readonly cardIdVNo?: string;
  readonly accountNumber?: string;
  readonly expiry?: string;
  readonly status?: string;
  /** Posted with the opening balance, and returned with the balance. */
  readonly balance?: CardBalanceDetails;
}

/** Members of a card's balance that are only stored and returned (rules.md D5). */
interface CardBalanceDetails {
  readonly referenceDate?: string;
  readonly lastChangeDateTime?: string;
  readonly lastCommittedTransaction?: string;
}

/** A new card account of a customer. Money in minor units of its currency. */
export interface NewCardAccount {
  readonly customerId: number;
  readonly maskedPan: string;
  readonly name: string;
  readonly product: string | null;
  readonly currency: Currency;
  readonly creditLimit: bigint;
  readonly openingBalance: bigint;
  readonly details: CardDetails;
}

/** Opens a card account. It is no ledger account: no payment debits it, and it has no entries. */
export function openCardAccount(ids: Ids, tx: Writer, wanted: NewCardAccount): Promise<CardAccount> {
  return insertCardAccount(tx, {
    resource_id: ids.resourceId(),
    customer_id: wanted.customerId,
    masked_pan: wanted.maskedPan,
    name: wanted.name,
    product: wanted.product,
    currency: wanted.currency,
    credit_limit_minor: wanted.creditLimit,
    opening_minor: wanted.openingBalance,
    details: JSON.stringify(wanted.details),
    closed_at: null,
  });
}

/** Closes a card account at bank time `at`. Its transactions stay; nobody reads them any more. */
export async function closeCardAccount(tx: Writer, card: CardAccount, at: Instant): Promise<void> {
  await markCardAccountClosed(tx, card.id, at);
}

/** Gives the card accounts of another bank's seeded ledger ids of this bank. */
export async function adoptCardAccounts(ids: Ids, tx: Writer): Promise<void> {
  await renewResourceIds(tx, 'card_account', ids.resourceId);
}
