import { clip } from '../values/text.ts';
import { Refusal, type Fault, refuseAny } from '../values/fault.ts';
import {
  findCardAccount,
  type CardAccount,
  insertCardAccount,
  markCardAccountClosed,
  type CardTransaction,
  cardTransactions,
  deleteCardTransactions,
  findCardTransaction,
  insertCardTransaction,
} from './rows/cards.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { type Currency, isWithinBalanceLimit } from '../values/money.ts';
import type { Ids } from '../bank/ids.ts';
import { renewResourceIds } from '../ledger/queries.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import {
  type CardDetails,
  checkCardSum,
  checkMockCardTransaction,
  type MockCardTransaction,
} from './rules/card-transaction.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { type TransactionWindow, wholeList } from '../accounts/rows/transactions.ts';

/** The open card account named in a path of the sandbox data. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireCardAccount(reader: Reader, cardAccountId: string): Promise<CardAccount> {
  const card = await findCardAccount(reader, cardAccountId);
  if (card !== undefined) return card;
  const text = `There is no card account ${clip(cardAccountId)}. GET /v1/sandbox/card-accounts lists them, with their resourceId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/** Refusal for a transaction that the card does not have, or no longer. */
function cardTransactionUnknown(cardTransactionId: string): Refusal {
  const text =
    `The card has no transaction ${clip(cardTransactionId)}. ` +
    'GET /v1/sandbox/card-accounts/{id}/transactions lists them, with their cardTransactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
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

/**
 * Adds mock transactions to a card (rules.md D3), all or none; a refusal has the faults of the whole list, each with
 * its index (E3). `card` is as it was before.
 */
export function addCardTransactions(bank: BankContext, cardAccountId: string, wanted: readonly MockCardTransaction[]) {
  return bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const today = osloDate(await bankNow(bank, tx));
    const account = { currency: card.currency, today };
    const faults = wanted.flatMap((each, index) => checkMockCardTransaction(each, account, `[${index}]`));
    const beyond = checkCardSum(card.sum_minor, wanted);
    refuseAny([...faults, ...beyond, ...(await idsInUse(tx, card.id, wanted))]);
    const added: CardTransaction[] = [];
    for (const each of wanted) {
      const row = {
        card_account_id: card.id,
        card_transaction_id: each.cardTransactionId ?? bank.ids.resourceId(),
        booking_date: each.bookingDate,
        transaction_date: each.transactionDate,
        amount_minor: each.transactionAmount.minor,
        original_minor: each.originalAmount?.minor ?? null,
        original_currency: each.originalAmount?.currency ?? null,
        details: JSON.stringify(each.details),
      };
      added.push(await insertCardTransaction(tx, row));
    }
    return { card, added };
  });
}

/** CONFLICT for a cardTransactionId that the card has already, or that is twice in the list. */
async function idsInUse(tx: Writer, cardId: number, wanted: readonly MockCardTransaction[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, { cardTransactionId: id }] of wanted.entries()) {
    if (id === null) continue;
    if (seen.has(id) || (await findCardTransaction(tx, cardId, id)) !== undefined) {
      const text = `The card has a transaction ${id} already. Send another cardTransactionId, or leave it empty.`;
      faults.push({ code: 'CONFLICT', path: `[${index}].cardTransactionId`, text });
    }
    seen.add(id);
  }
  return faults;
}

/** Reads one transaction of a card. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardTransaction(bank: BankContext, cardAccountId: string, cardTransactionId: string) {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    const transaction = await findCardTransaction(reader, card.id, cardTransactionId);
    if (transaction === undefined) throw cardTransactionUnknown(cardTransactionId);
    return { card, transaction };
  });
}

/**
 * Lists the transactions of a card, pending ones included, the latest first (rules.md A9). Unknown: RESOURCE_UNKNOWN.
 */
export function listSandboxCardTransactions(bank: BankContext, cardAccountId: string, window: TransactionWindow) {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    return {
      card,
      transactions: await cardTransactions(reader, card.id, { ...window, ...wholeList, isBooked: null, today: null }),
    };
  });
}

/**
 * Deletes one transaction of a card, or all of them when `cardTransactionId` is null. Unknown: RESOURCE_UNKNOWN.
 * CONFLICT when the balance of the card would then pass 10^17 minor units (rules.md P4).
 */
export async function removeCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  cardTransactionId: string | null,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const removed = await deleteCardTransactions(tx, card.id, cardTransactionId);
    if (removed === 0 && cardTransactionId !== null) throw cardTransactionUnknown(cardTransactionId);
    const { sum_minor: sum } = await requireCardAccount(tx, cardAccountId);
    if (!isWithinBalanceLimit(sum)) throw beyondLimit();
  });
}

function beyondLimit(): Refusal {
  const text =
    'Without this transaction the balance of the card would be beyond 10^17 minor units, the most that the bank keeps. ' +
    'Remove the largest of the others first, or all of them.';
  return new Refusal({ code: 'CONFLICT', text });
}
