import { checkCardSum, checkMockCardTransaction, type MockCardTransaction } from './rules/card-transaction.ts';
import { type Fault, Refusal, refuseAny } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import type { CardAccount } from './rows/card-accounts.ts';
import {
  type CardTransaction,
  cardTransactions,
  deleteCardTransactions,
  findCardTransaction,
  insertCardTransaction,
} from './rows/card-transactions.ts';
import type { Writer } from '../ledger/database.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { cardTransactionUnknown, requireCardAccount } from './card-accounts.ts';
import { type TransactionWindow, wholeList } from '../accounts/rows/transactions.ts';
import { isWithinBalanceLimit } from '../values/money.ts';

/** The added transactions, and the card as it was before. */
interface AddedCardTransactions {
  readonly card: CardAccount;
  readonly added: readonly CardTransaction[];
}

/** Adds mock transactions to a card (rules.md D3), all or none; a refusal has the faults of the whole list, each with its index (E3). */
export function addCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  wanted: readonly MockCardTransaction[],
): Promise<AddedCardTransactions> {
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

interface SandboxCardTransaction {
  readonly card: CardAccount;
  readonly transaction: CardTransaction;
}

/** Reads one transaction of a card. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardTransaction(
  bank: BankContext,
  cardAccountId: string,
  cardTransactionId: string,
): Promise<SandboxCardTransaction> {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    const transaction = await findCardTransaction(reader, card.id, cardTransactionId);
    if (transaction === undefined) throw cardTransactionUnknown(cardTransactionId);
    return { card, transaction };
  });
}

interface SandboxCardTransactions {
  readonly card: CardAccount;
  readonly transactions: readonly CardTransaction[];
}

/** Lists the transactions of a card, pending ones included, the latest first (rules.md A9). Unknown: RESOURCE_UNKNOWN. */
export function listSandboxCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  window: TransactionWindow,
): Promise<SandboxCardTransactions> {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    return {
      card,
      transactions: await cardTransactions(reader, card.id, { ...window, ...wholeList, isBooked: null, today: null }),
    };
  });
}

/**
 * Deletes one transaction of a card, or all of them when `cardTransactionId` is null. Unknown: RESOURCE_UNKNOWN. CONFLICT
 * when the balance of the card would then pass 10^17 minor units (rules.md P4).
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
