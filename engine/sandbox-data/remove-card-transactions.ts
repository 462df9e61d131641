import { Refusal } from '../values/fault.ts';
import { isKept } from '../values/money.ts';
import { deleteCardTransactions } from '../cards/rows/card-transactions.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { cardTransactionUnknown, requireCardAccount } from '../cards/find-card-account.ts';

/**
 * Removes the transaction of a card that is named, else all of them. One that is not there: RESOURCE_UNKNOWN; one without
 * which the card would pass 10^17 minor units: CONFLICT (rules.md P4).
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
    if (!isKept(sum)) throw beyondLimit();
  });
}

function beyondLimit(): Refusal {
  const text =
    'Without this transaction the balance of the card would be beyond 10^17 minor units, the most that the bank keeps. ' +
    'Remove the largest of the others first, or all of them.';
  return new Refusal({ code: 'CONFLICT', text });
}
