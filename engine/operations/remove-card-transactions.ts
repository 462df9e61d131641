import { deleteCardTransactions } from '../ledger/card-transactions.ts';
import type { BankContext } from './shared/bank-context.ts';
import { cardTransactionUnknown, requireCardAccount } from './shared/find-card-account.ts';

/** Removes the transaction of a card that is named, else all of them. One that is not there: RESOURCE_UNKNOWN. */
export async function removeCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  cardTransactionId: string | null,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const removed = await deleteCardTransactions(tx, card.id, cardTransactionId);
    if (removed === 0 && cardTransactionId !== null) throw cardTransactionUnknown(cardTransactionId);
  });
}
